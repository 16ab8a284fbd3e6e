import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { ClusterContext } from "../../src/job/model/cluster-context.ts";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import { answerRecord } from "../../src/explain/present-job.ts";
import { JobFold } from "../../src/job/model/job-record.ts";
import { readRecording } from "../../src/kubernetes/recording/recording.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { answersOf, foldFacts } from "../../src/query/job/fold-facts.ts";
import { RECORDINGS_BESIDE, recordingFiles, recordingsFolder } from "../support/recordings/real-recordings.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const NOTHING: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
const LATER = Date.parse("2026-11-22T00:00:00Z");

const names = recordingFiles().flatMap((file) => /^([a-z0-9-]+)\.ndjson(\.gz)?$/.exec(file)?.[1] ?? []);

interface TrueJob {
  readonly uid: string;
  readonly truly: { readonly pods: number; readonly succeeded: number; readonly failed: number };
}

async function batchesOf(name: string): Promise<readonly (readonly Fact[])[]> {
  const file = [`${name}.ndjson`, `${name}.ndjson.gz`]
    .map((path) => join(recordingsFolder, path))
    .find((path) => existsSync(path));
  const batches: (readonly Fact[])[] = [];
  for await (const recorded of readRecording(createReadStream(file ?? name))) {
    if (!("event" in recorded)) throw new Error(`${name}, line ${recorded.line}: ${recorded.problem}`);
    const translated = translate(recorded.event);
    if (translated.outcome === "translated") batches.push(translated.facts);
  }
  return batches;
}

async function* each(batches: readonly (readonly Fact[])[]): AsyncGenerator<readonly Fact[]> {
  yield* batches;
}

async function bytesOf(batches: readonly (readonly Fact[])[]): Promise<string> {
  const folded = await foldFacts(each(batches));
  return [...answersOf(folded, { cluster: "recording", now: LATER, pods: true })]
    .map((answer) => JSON.stringify(answer))
    .join("\n");
}

/** The same items in an order that has nothing to do with theirs, which is the same each time. */
function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item, n) => ({ item, key: (n * 7919 + 13) % 104_729 }))
    .toSorted((a, b) => ((a.key * 31) % 9973) - ((b.key * 31) % 9973) || a.key - b.key)
    .map(({ item }) => item);
}

function truthOf(name: string): readonly TrueJob[] | undefined {
  const file = [`${name}.truth.json`, `${name}.truth.json.gz`]
    .map((path) => join(recordingsFolder, path))
    .find((path) => existsSync(path));
  if (file === undefined) return undefined;
  const bytes = file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file);
  return (JSON.parse(bytes.toString("utf8")) as { readonly jobs: readonly TrueJob[] }).jobs;
}

describe.each(names)("the recording %s", (name) => {
  it("comes to the same bytes backwards, shuffled, and with every line twice", async () => {
    const batches = await batchesOf(name);
    const told = await bytesOf(batches);
    expect(await bytesOf(batches.toReversed())).toBe(told);
    expect(await bytesOf(shuffled(batches))).toBe(told);
    expect(await bytesOf(batches.flatMap((batch) => [batch, batch]))).toBe(told);
  });

  const truth = truthOf(name);
  const untested = `answers about ${name} against what truly happened`;
  it.skipIf(skipWithout(truth !== undefined, { ...RECORDINGS_BESIDE, untested }))(
    "never counts above the truth, and never leaves a final verdict, at any line",
    async () => {
      const truly = new Map((truth ?? []).map((job) => [job.uid, job.truly]));
      const ended = new Map<string, JobAnswer["verdict"]>();
      let judged = 0;
      const fold = new JobFold();
      for (const facts of await batchesOf(name)) {
        for (const fact of facts) fold.add(fact);
        const jobFact = facts.find(isJobFact);
        const record = jobFact && fold.records.get(jobFact.jobUid);
        const limits = jobFact && truly.get(jobFact.jobUid);
        if (record === undefined || limits === undefined) continue;
        const { pods, status, verdict } = answerRecord(record, {
          cluster: "recording",
          clusterContext: NOTHING,
          now: LATER,
        });
        expect(pods.seen).toBeLessThanOrEqual(limits.pods);
        expect(pods.succeeded).toBeLessThanOrEqual(limits.succeeded);
        expect(pods.failed).toBeLessThanOrEqual(limits.pods - pods.succeeded);
        expect(status.succeeded ?? 0).toBeLessThanOrEqual(limits.succeeded);
        const before = ended.get(record.job.uid);
        if (before !== undefined) expect(verdict).toMatchObject({ state: before.state, final: true });
        if (verdict.final) ended.set(record.job.uid, verdict);
        judged += 1;
      }
      expect(judged).toBeGreaterThanOrEqual(truly.size);
    },
  );
});
