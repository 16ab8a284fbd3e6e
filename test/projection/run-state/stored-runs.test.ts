import { existsSync } from "node:fs";
import { join } from "node:path";
import { assert, asyncProperty, integer, shuffledSubarray, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { answerRun } from "../../../src/explain/run/answer-run.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import type { Projections } from "../../../src/ports/projections.ts";
import { failedTrainJob, restartedJobSet } from "../../support/story/run-story.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { NO_CONTEXT } from "../../../src/projection/job-state/derive-row.ts";
import { recordOf } from "../../../src/projection/run-state/project-run.ts";
import { RunFold } from "../../../src/query/job/fold-runs.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { skipWithout } from "../../support/running/skip-without.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";
import { recordingFiles, RECORDINGS_BESIDE, sharedRecording } from "../../support/recordings/real-recordings.ts";

const FOLDER = join(sharedRecording("."), "../recordings-lineage");
const isSkipped = skipWithout(existsSync(FOLDER), {
  ...RECORDINGS_BESIDE,
  untested: "stored runs of recorded controllers",
});
const FILES = isSkipped ? ["none"] : recordingFiles(FOLDER).filter((file) => !file.includes(".audit."));

async function factsIn(file: string): Promise<Fact[]> {
  const facts: Fact[] = [];
  const tally = { events: 0, rejected: [], rejectedBeyond: 0 };
  for await (const some of recordedFacts([join(FOLDER, file)], tally)) facts.push(...some);
  return facts;
}

/** A stored run has neither the evidence of a cause nor the names of runs that preempted it. */
function comparable({ cause, queue, ...run }: RunAnswer): unknown {
  const { pods: _, ...short } = cause ?? { pods: undefined };
  const evictions = queue?.evictions.map(({ at, reason }) => ({ at, reason }));
  return { ...run, labels: {}, cause: { ...short, evidence: [] }, queue: { ...queue, evictions } };
}

/** The answers that `fold` gives, and what it has of the last instant. */
async function foldedRuns(facts: readonly Fact[]) {
  const folded = await foldFacts(oneBatch(facts));
  const now = folded.latestAt;
  const runs = new RunFold(folded.runs);
  const all = { ...folded, clusterContext: NO_CONTEXT };
  for (const _ of answersOf(all, { cluster: "east", now, pods: false, runs }));
  return { now, answers: [...runs.answers("east", now)].filter(({ uid }) => uid !== undefined) };
}

async function* oneBatch(facts: readonly Fact[]) {
  yield facts;
}

describe.skipIf(isSkipped)("the stored runs of a recording", () => {
  it.each(FILES)(
    "are those that are folded from it: %s",
    async (file) => {
      const facts = await factsIn(file);
      const { now, answers } = await foldedRuns(facts);
      expect(answers.filter(({ jobs, usage }) => jobs.total > 0 && usage === undefined)).toEqual([]);
      const stores = emptyStores();
      await tell(stores, facts, { factsInSegment: 50 });
      for (const run of answers) {
        const jobUid = decodeJobUid(run.uid) ?? expect.fail();
        const stored = await stores.projections.runs("A").read({ cluster: clusterOf("east"), jobUid });
        const answer = stored && answerRun(recordOf(jobUid, stored), { cluster: "east", now });
        expect(answer && comparable(answer)).toEqual(comparable(run));
      }
    },
    60_000,
  );
});

const TRAIN_JOB = decodeJobUid("fit-uid") ?? expect.fail();
const JOB_SET = { cluster: clusterOf("east"), jobUid: decodeJobUid("train-uid") ?? expect.fail() };

/** The answer about the run of the JobSet, as it is stored. */
async function storedAnswer(projections: Pick<Projections, "runs">, now: Instant, projection: "A" | "B" = "A") {
  const stored = await projections.runs(projection).read(JOB_SET);
  const answer = stored && answerRun(recordOf(JOB_SET.jobUid, stored), { cluster: "east", now });
  return answer && comparable(answer);
}

const FACTS = failedTrainJob();
const orders = tuple(shuffledSubarray([...FACTS], { minLength: FACTS.length }), integer({ min: 1, max: 9 }));

describe("the stored run of the JobSet of a TrainJob", () => {
  it("has the conditions and the queue of the TrainJob, as fold does", async () => {
    const { now, answers } = await foldedRuns(FACTS);
    const stores = emptyStores();
    await tell(stores, FACTS);
    expect(answers).toMatchObject([
      {
        kind: "TrainJob",
        name: "fit",
        uid: "fit-uid",
        verdict: { state: "Failed", reason: "DeadlineExceeded", final: true, basis: "reported" },
        queue: { name: "main", admittedAt: ["2026-01-01T00:00:01Z"] },
      },
    ]);
    expect(await storedAnswer(stores.projections, now)).toEqual(answers.map(comparable)[0]);
  });

  it("is the same in any order of the facts", async () => {
    const { now, answers } = await foldedRuns(FACTS);
    const [expected] = answers.map(comparable);
    await assert(
      asyncProperty(orders, async ([facts, factsInSegment]) => {
        const stores = emptyStores();
        await tell(stores, facts, { factsInSegment });
        expect(await storedAnswer(stores.projections, now)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it("is the same in any order in a database file, where verify finds no difference, and after a replay", async () => {
    const { now, answers } = await foldedRuns(FACTS);
    const [expected] = answers.map(comparable);
    await assert(
      asyncProperty(orders, async ([facts, factsInSegment]) => {
        const tracker = openEmbedded(":memory:");
        for (let from = 0; from < facts.length; from += factsInSegment) {
          const some = oneBatch(facts.slice(from, from + factsInSegment));
          await tracker.importFacts(some, { cluster: JOB_SET.cluster, now });
        }
        expect(await storedAnswer(tracker.projections, now)).toEqual(expected);
        expect((await tracker.verify()).mismatches).toEqual([]);
        await tracker.replay();
        expect(await storedAnswer(tracker.projections, now, "B")).toEqual(expected);
        expect((await tracker.verify()).mismatches).toEqual([]);
        tracker.close();
      }),
      { numRuns: 10 },
    );
  });

  it("takes no write more for a JobSet without one", async () => {
    const stores = emptyStores();
    await tell(stores, restartedJobSet(), { factsInSegment: 100 });
    expect((await stores.projections.runs("A").read(JOB_SET))?.version).toBe(1);
    expect(await stores.projections.runs("A").read({ ...JOB_SET, jobUid: TRAIN_JOB })).toBeUndefined();
  });
});
