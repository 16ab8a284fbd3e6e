import type { JobAnswer } from "../../explain/answer-document.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { decodeClusterName } from "../../job/model/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import { isStale } from "../../job/status/silence.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { clusterRecord } from "../../ports/records/cluster-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import { readCluster } from "./cluster-records.ts";

/**
 * Marks the answers that are stale: their cluster is silent, and the Job may have changed since. Reads the records of
 * clusters whose Jobs have no recent fact: each once, or all together if there are many.
 */
export async function markStale<Answer extends DatedAnswer>(
  meta: MetaStore,
  answers: readonly Answer[],
  now: Instant,
): Promise<readonly Answer[]> {
  const old = answers.filter((answer) => markedStale(answer, undefined, now) !== answer);
  const heardAt = await lastHeartbeats(meta, new Set(old.map(({ cluster }) => cluster)));
  return answers.map((answer) => markedStale(answer, heardAt.get(answer.cluster), now));
}

/** An answer about a Job, or about a run. */
interface DatedAnswer extends Pick<JobAnswer, "cluster" | "completeness" | "asOf"> {
  readonly verdict: { readonly state: string; readonly final: boolean; readonly basis?: string };
  /** Of a run. */
  readonly jobs?: RunAnswer["jobs"];
}

/** If more clusters than this are needed, reading a page of all clusters costs less. */
const MANY_CLUSTERS = 10;

async function lastHeartbeats(meta: MetaStore, clusters: ReadonlySet<string>): Promise<ReadonlyMap<string, Instant>> {
  const heardAt = new Map<string, Instant>();
  if (clusters.size > MANY_CLUSTERS) {
    for await (const { key, value } of listDecoded(meta, clusterRecord, "")) {
      if (value.observed !== undefined) heardAt.set(key, value.observed.at);
    }
    return heardAt;
  }
  await Promise.all(
    [...clusters].map(async (cluster) => {
      const at = await lastHeartbeatAt(meta, cluster);
      if (at !== undefined) heardAt.set(cluster, at);
    }),
  );
  return heardAt;
}

async function lastHeartbeatAt(meta: MetaStore, cluster: string): Promise<Instant | undefined> {
  const name = decodeClusterName(cluster);
  return name === undefined ? undefined : (await readCluster(meta, name))?.observed?.at;
}

/** The Job's own last fact counts too: a heartbeat may be a minute old, and a cluster may not have sent one yet. */
function markedStale<Answer extends DatedAnswer>(
  answer: Answer,
  heartbeatAt: Instant | undefined,
  now: Instant,
): Answer {
  if (answer.verdict.final || hasEnded(answer)) return answer;
  const heardAt = Math.max(heartbeatAt ?? 0, parseInstant(answer.asOf.time) ?? 0);
  if (!isStale(answer.verdict, heardAt, now)) return answer;
  const { gaps } = answer.completeness;
  return { ...answer, completeness: { level: "stale", gaps, heardAt: formatInstant(heardAt) } };
}

/** Whether a run has ended of which only Jobs are known. It is not final, because it may gain a Job. */
export function hasEnded({ verdict, jobs }: Pick<DatedAnswer, "verdict" | "jobs">): boolean {
  if (jobs === undefined || verdict.basis !== "observed") return false;
  return jobs.total > 0 && jobs.running + jobs.waiting + jobs.unknown === 0;
}
