import { join } from "node:path";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { ClusterName } from "../../../src/job/model/ids.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { foldFacts } from "../../../src/query/job/fold-facts.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { Sealer } from "../../../src/segment/sealer.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { recordingFiles, recordingsFolder } from "../../support/recordings/real-recordings.ts";

/** What was recorded of one cluster: its watch events, and its audit events where there are any. */
export interface RecordedCluster {
  readonly cluster: ClusterName;
  readonly facts: readonly Fact[];
}

/** Every recording there is: those beside the checkout, else the examples that come with it. */
export async function recordedClusters(): Promise<readonly RecordedCluster[]> {
  const byName = new Map<string, string[]>();
  for (const file of recordingFiles()) {
    const [name = file] = file.split(".");
    byName.set(name, [...(byName.get(name) ?? []), join(recordingsFolder, file)]);
  }
  return Promise.all(
    [...byName].map(async ([name, files]) => ({ cluster: clusterNamed(name), facts: await factsIn(files) })),
  );
}

/** The facts of the watch and audit events in some files. */
export async function factsIn(files: readonly string[]): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const some of recordedFacts(files, { events: 0, rejected: [], rejectedBeyond: 0 })) facts.push(...some);
  return facts;
}

/** A small recording comes in many small segments, a large one in larger ones. */
const FACTS = 40;
const SEGMENTS = 60;

/** The facts as an exporter would send them: some segments, sealed one after the other from `sealedAt` on. */
export function sealed({ cluster, facts }: RecordedCluster, sealedAt: Instant): readonly Uint8Array[] {
  const sealer = new Sealer({ cluster, session: "e2e0000000000000", firstSequence: 0 });
  const messages: Uint8Array[] = [];
  const factsInSegment = Math.max(FACTS, Math.ceil(facts.length / SEGMENTS));
  for (let begin = 0; begin < facts.length; begin += factsInSegment) {
    for (const fact of facts.slice(begin, begin + factsInSegment)) sealer.add(fact);
    messages.push(...sealer.seal(sealedAt + messages.length).map(({ bytes }) => bytes));
  }
  return messages;
}

/** What `outlive fold` answers of these facts: of which Jobs, and of each at any instant. */
export interface FoldedCluster {
  readonly jobs: readonly JobAnswer[];
  readonly answer: (uid: string, now: Instant) => JobAnswer | undefined;
}

export function foldCluster(recorded: RecordedCluster): Promise<FoldedCluster> {
  return fold(recorded, false);
}

/** The same answers, each with the Pods of its Job. */
export function foldWithAttempts(recorded: RecordedCluster): Promise<FoldedCluster> {
  return fold(recorded, true);
}

async function fold({ cluster, facts }: RecordedCluster, attempts: boolean): Promise<FoldedCluster> {
  const { jobs, clusterContext, runs } = await foldFacts(each(facts));
  const ofRuns = new RunFold(runs, clusterContext);
  const records = new Map([...jobs].map((record) => [record.job.uid as string, record]));
  const answer: FoldedCluster["answer"] = (uid, now) => {
    const record = records.get(uid);
    if (record === undefined) return undefined;
    // The recordings are old: a Job that is not final is stale.
    const alone = answerRecord(record, { cluster, clusterContext, now, queriedAt: Date.now(), attempts });
    return ofRuns.add(alone, record, () => alone);
  };
  return { jobs: [...records.keys()].flatMap((uid) => answer(uid, 0) ?? []), answer };
}

async function* each(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}
