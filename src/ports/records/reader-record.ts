import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `reader`, by the unique id of the IAM principal: what it may read. */
export interface ReaderRecord {
  /** The grants (docs/access.md). Absent after they were revoked: the record stays, to show when. */
  readonly grants?: readonly string[];
  readonly grantedAt?: Instant;
  readonly revokedAt?: Instant;
  /** The ARN that the operator gave. It is for display only, because an ARN can be reused. */
  readonly arn?: string;
}

export const readerRecord = recordCodec<ReaderRecord>(
  "reader",
  v.looseObject({
    grants: v.exactOptional(v.array(v.string())),
    grantedAt: v.exactOptional(v.number()),
    revokedAt: v.exactOptional(v.number()),
    arn: v.exactOptional(v.string()),
  }),
);
