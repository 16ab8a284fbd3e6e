import type { JobUid, PodUid } from "../../job/model/ids.ts";

/** The objects that the tracker believes to exist in the cluster. */
export interface KnownObjects {
  readonly jobs: readonly JobUid[];
  readonly pods: readonly { readonly podUid: PodUid; readonly jobUid: JobUid }[];
}
