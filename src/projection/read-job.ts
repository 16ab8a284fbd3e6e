import type { JobObject } from "../job/job-record.ts";
import type { Instant } from "../job/instant.ts";
import type { PodUid } from "../job/ids.ts";
import type { PodRecord } from "../job/pod-record.ts";
import type { LogKey } from "../ports/log.ts";

/** A Job as a projection holds it. Whether its Pods lie in the state item or in pages of their own cannot be told from here. */
export interface JobView {
  readonly job: JobObject;
  readonly podCount: number;
  /** The version of the state this is a view of: the whole view is of that one version. */
  readonly version: number;
  /** The Pods in order of (createdAt, uid), strictly after `after` where given; read page by page, so that a Job of a million Pods needs no more memory than one page. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The log items that hold facts of this Job, in order of sealedAt. */
  logKeys(): AsyncIterable<LogKey>;
}

/** Where a Pod stands among the Pods of its Job. `createdAt` is 0 while its creation was not seen. */
export interface PodPosition {
  readonly createdAt: Instant;
  readonly podUid: PodUid;
}
