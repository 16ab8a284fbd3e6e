import type { JobAnswer } from "../../explain/answer-document.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { Instant } from "../../job/model/instant.ts";
import { translateRunPod } from "../../kubernetes/runs/translate-run-pod.ts";
import type { TextOptions } from "../../kubernetes/translate/translated.ts";
import { answersOf, foldFacts } from "../../query/job/fold-facts.ts";
import { PodRunFold } from "../../query/job/fold-pod-runs.ts";
import { RunFold } from "../../query/job/fold-runs.ts";
import { type ReadingTally, recordedFacts } from "./recorded-facts.ts";

export interface FoldRecordingsOptions extends Partial<TextOptions> {
  /** The name of the cluster in the answers. */
  readonly cluster: string;
  /** The time of the answers. @default the latest in the recordings */
  readonly now?: Instant | undefined;
  /** Whether answers have the Pods of each Job. */
  readonly pods: boolean;
  /** The kinds whose Pods without a Job are runs. */
  readonly podRuns: ReadonlySet<string>;
}

/** The answers of a set of recordings. Read `jobs` to their end before `runs`: each can be iterated once. */
export interface FoldedRecordings {
  readonly jobs: Iterable<JobAnswer>;
  readonly runs: Iterable<RunAnswer>;
  readonly now: Instant;
  readonly tally: ReadingTally;
}

/** Answers from recordings of one cluster, without a database. Only records are in memory. */
export async function foldRecordings(
  names: readonly string[],
  { cluster, now: given, pods, podRuns: kindsOfPods, ...texts }: FoldRecordingsOptions,
): Promise<FoldedRecordings> {
  const tally: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const podRuns = new PodRunFold();
  const onEvent = (event: unknown): void => {
    podRuns.add(translateRunPod(event, kindsOfPods, texts.kinds));
  };
  const folded = await foldFacts(recordedFacts(names, tally, { ...texts, onEvent }));
  const now = given ?? Math.max(folded.latestAt, podRuns.latestAt);
  const runs = new RunFold(folded.runs, folded.clusterContext);
  podRuns.addTo(runs, { cluster, clusterContext: folded.clusterContext, now });
  return { jobs: answersOf(folded, { cluster, now, pods, runs }), runs: runs.answers(cluster, now), now, tally };
}
