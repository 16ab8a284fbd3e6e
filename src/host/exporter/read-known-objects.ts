import { loadAhead } from "../../ports/concurrency/load-ahead.ts";
import { type ApiClient, getItems } from "../client/api-client.ts";
import { jobPath } from "../../http/contract/api-paths.ts";
import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { type ClusterName, decodeJobUid, decodePodUid } from "../../job/model/ids.ts";
import type { KnownObjects } from "../../kubernetes/watch/known-objects.ts";

/** Beyond these limits, deletions in a gap are not detected. */
const MAX_JOBS = 100_000;
const MAX_PODS_OF_A_JOB = 100_000;
/**
 * Requests at once: the capture waits for all of them. A deployed stage gives one reader half of its time, and the
 * client repeats what it refuses.
 */
const REQUESTS_AT_ONCE = 4;
const OPEN_STATES = "Pending,Running,Suspended,Unknown";

/**
 * The objects that the tracker believes to exist in a cluster. Those that are missing from the list after a gap have
 * vanished.
 */
export async function knownObjects(api: ApiClient, cluster: ClusterName): Promise<KnownObjects> {
  const { items } = await getItems<JobAnswer>(api, "/v1/jobs", { cluster, state: OPEN_STATES, limit: MAX_JOBS });
  const alive = items.filter(({ deletedAt }) => deletedAt === undefined);
  const pods: KnownObjects["pods"][number][] = [];
  for await (const some of loadAhead(alive, REQUESTS_AT_ONCE, (job) => knownPods(api, job))) pods.push(...some);
  return { jobs: alive.flatMap(({ uid }) => decodeJobUid(uid) ?? []), pods };
}

async function knownPods(api: ApiClient, job: JobAnswer): Promise<KnownObjects["pods"]> {
  const jobUid = decodeJobUid(job.uid);
  if (jobUid === undefined) return [];
  const { items } = await getItems<Attempt>(api, jobPath(job, "/pods"), { uid: job.uid, limit: MAX_PODS_OF_A_JOB });
  return items
    .filter(({ deletedAt }) => deletedAt === undefined)
    .flatMap(({ uid }) => {
      const podUid = decodePodUid(uid);
      return podUid === undefined ? [] : [{ podUid, jobUid }];
    });
}
