import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `principal`, by the unique id of the IAM principal: which cluster it may send for. */
export interface PrincipalRecord {
  /** Absent after the principal was unregistered: the record stays, to show when. */
  readonly cluster?: string;
  readonly registeredAt?: Instant;
  readonly unregisteredAt?: Instant;
  /** The ARN that the operator gave. It is for display only, because an ARN can be reused. */
  readonly arn?: string;
}

export const principalRecord = recordCodec<PrincipalRecord>(
  "principal",
  v.looseObject({
    cluster: v.exactOptional(v.string()),
    registeredAt: v.exactOptional(v.number()),
    unregisteredAt: v.exactOptional(v.number()),
    arn: v.exactOptional(v.string()),
  }),
);
