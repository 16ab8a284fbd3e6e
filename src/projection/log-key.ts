import type { ClusterName } from "../job/ids.ts";
import { formatInstant } from "../job/instant.ts";
import type { LogKey } from "../ports/log.ts";
import type { SegmentName } from "./log-keys.ts";

export function logKeyOf(cluster: ClusterName, { sealedAt, session, sequence }: SegmentName): LogKey {
  return {
    pk: `${cluster}#${formatInstant(sealedAt).slice(0, 10).replaceAll("-", "")}`,
    sk: `${sealedAt}#${session}#${sequence}`,
  };
}
