import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { recordingsWithAudit } from "../../support/recordings/real-recordings.ts";
import { OBSERVED_AT, type RecordedSeries, writeSeriesRecording } from "../../support/recordings/series-recording.ts";

const cluster = clusterNamed("east");
let folder: string;
let embedded: Embedded;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-expectations-"));
  embedded = openEmbedded(join(folder, "outlive.sqlite"));
});

afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true });
});

async function folded(files: readonly string[]): Promise<readonly JobAnswer[]> {
  const facts = await foldFacts(recordedFacts(files, { events: 0, rejected: [], rejectedBeyond: 0 }));
  return [...answersOf(facts, { cluster, now: facts.latestAt, pods: false })];
}

async function served({ namespace, name, uid }: JobAnswer, past?: number): Promise<JobAnswer> {
  const ports = { ...embedded, jobs: await liveJobs(embedded.projections, embedded.meta) };
  const wanted = { cluster, namespace, name, uid };
  const got = await getJob(ports, { scope: "everything", wanted }, { now: OBSERVED_AT + 365 * 86_400_000, asOf: past });
  if (got.outcome !== "answered") throw new Error(`${name}: ${got.outcome}`);
  return got.answer;
}

/** What an answer says about how long the Job will take. */
function expectation({ name, expected, noExpectation, findings }: JobAnswer) {
  const slow = findings
    .filter(({ kind }) => kind === "SlowerThanUsual")
    .map(({ message, since }) => ({ message, since }));
  return { name, expected, noExpectation, slow };
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const long = upTo(130).map((at) => 600 + ((at * 37) % 200));

const SERIES: readonly RecordedSeries[] = [
  { name: "usual", seconds: long },
  { name: "slow", seconds: long, running: 3000 },
  { name: "suspended", seconds: long, suspend: true },
  { name: "few", seconds: [600, -20, 700, 800] },
  { name: "failing", seconds: long.map((at, index) => (index % 3 === 0 ? -at : at)) },
  { name: "changed", seconds: long, parallelism: 4 },
  { name: "first", seconds: [] },
  { name: "overlapping", seconds: [...upTo(9).map(() => 600), 3590] },
];

async function importSeries(more: { readonly gapAt?: number } = {}): Promise<readonly JobAnswer[]> {
  const file = join(folder, "series.ndjson");
  writeSeriesRecording(file, { series: SERIES, ...more });
  await importRecordings(embedded, { clusterName: "east", files: [file] });
  return (await folded([file])).filter(({ verdict }) => verdict.state !== "Complete" && verdict.state !== "Failed");
}

describe("the answer of a tracker about a run in progress", () => {
  it.each([
    ["without a gap", {}],
    ["with a gap", { gapAt: 30 }],
  ])("expects what a fold of the recording expects, %s", async (_, more) => {
    const inProgress = await importSeries(more);
    expect(inProgress).toHaveLength(SERIES.length);
    expect(inProgress.filter(({ expected }) => expected !== undefined).length).toBeGreaterThanOrEqual(4);
    for (const job of inProgress) expect(expectation(await served(job))).toEqual(expectation(job));
  });

  it("says why nothing is expected, and when a run is slower than usual", async () => {
    const answers = new Map<string, JobAnswer>();
    for (const job of await importSeries()) answers.set(job.owner?.name ?? "", await served(job));
    expect(answers.get("few")?.noExpectation).toBe("No expectation: 3 of 10 successful runs are known.");
    expect(answers.get("changed")?.noExpectation).toMatch(
      /75 had another template \(resources, parallelism or completions\)/,
    );
    expect(answers.get("first")).not.toHaveProperty("noExpectation");
    expect(answers.get("slow")?.findings.map(({ kind }) => kind)).toContain("SlowerThanUsual");
    expect(answers.get("usual")?.findings).toEqual([]);
  });

  it("about the past follows from the runs that had ended", async () => {
    const job = (await importSeries()).find(({ owner }) => owner?.name === "overlapping");
    if (job === undefined) throw new Error("It is in progress.");
    expect(await served(job, OBSERVED_AT)).toMatchObject({ expected: { runs: 10 } });
    const before = await served(job, OBSERVED_AT - 30_000);
    expect(before.noExpectation).toBe("No expectation: 9 of 10 successful runs are known.");
  });
});

describe.each(recordingsWithAudit().map((files) => [basename(files[0] ?? ""), files] as const))(
  "after the import of %s, the tracker",
  (_, files) => {
    it("expects of each Job what a fold expects", async () => {
      await importRecordings(embedded, { clusterName: "east", files });
      for (const job of await folded(files)) expect(expectation(await served(job))).toEqual(expectation(job));
    });
  },
);
