import type { JobAnswer } from "../../explain/answer-document.ts";
import { decodeClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import { isStale } from "../../job/status/silence.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { readCluster } from "./cluster-records.ts";

/**
 * Marks the answers that are stale: their cluster is silent, and the Job may have changed since. Reads each cluster's
 * record once.
 */
export async function markStale(
  meta: MetaStore,
  answers: readonly JobAnswer[],
  now: Instant,
): Promise<readonly JobAnswer[]> {
  const clusters = [...new Set(answers.map(({ cluster }) => cluster))];
  const heardAt = new Map(
    await Promise.all(clusters.map(async (cluster) => [cluster, await lastHeartbeatAt(meta, cluster)] as const)),
  );
  return answers.map((answer) => markedStale(answer, heardAt.get(answer.cluster), now));
}

async function lastHeartbeatAt(meta: MetaStore, cluster: string): Promise<Instant | undefined> {
  const name = decodeClusterName(cluster);
  return name === undefined ? undefined : (await readCluster(meta, name))?.observed?.at;
}

/** The Job's own last fact counts too: a heartbeat may be a minute old, and a cluster may not have sent one yet. */
function markedStale(answer: JobAnswer, heartbeatAt: Instant | undefined, now: Instant): JobAnswer {
  if (answer.verdict.final) return answer;
  const heardAt = Math.max(heartbeatAt ?? 0, parseInstant(answer.asOf.time) ?? 0);
  if (!isStale(answer.verdict, heardAt, now)) return answer;
  const { gaps } = answer.completeness;
  return { ...answer, completeness: { level: "stale", gaps, heardAt: formatInstant(heardAt) } };
}
