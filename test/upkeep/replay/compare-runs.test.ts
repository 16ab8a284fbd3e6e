import { describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { failedTrainJob, restartedJobSet } from "../../support/story/run-story.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { encodedRun, recordOf } from "../../../src/projection/run-state/project-run.ts";
import { withMember } from "../../../src/explain/run/run-record.ts";

const RUN = { cluster: clusterOf("east"), jobUid: decodeJobUid("train-uid") ?? expect.fail() };

async function* batches(facts: readonly Fact[]) {
  yield facts;
}

async function imported(facts = restartedJobSet()) {
  const tracker = openEmbedded(":memory:");
  await tracker.importFacts(batches(facts), {
    cluster: RUN.cluster,
    now: () => Date.parse("2026-02-01T00:00:00Z"),
  } as never);
  return tracker;
}

type Tracker = Awaited<ReturnType<typeof imported>>;

async function problemsOf(tracker: Tracker): Promise<readonly string[]> {
  const { mismatches } = await tracker.verify();
  return mismatches.map(({ jobUid, problem }) => `${problem} ${jobUid}`);
}

describe("stored runs that are compared with the log", () => {
  it("are right after an import, and after a replay", async () => {
    const tracker = await imported();
    expect(await problemsOf(tracker)).toEqual([]);
    await tracker.replay();
    expect(await problemsOf(tracker)).toEqual([]);
  });

  it.each([
    [
      "different train-uid",
      async ({ projections }: Tracker) => {
        const runs = projections.runs("A");
        const stored = await runs.read(RUN);
        const damaged = encodedRun(withMember(recordOf(RUN.jobUid, stored), "train-worker-1-0", undefined));
        await runs.write(RUN, damaged, stored?.version ?? 0);
      },
    ],
    [
      "unreadable train-uid",
      async ({ projections }: Tracker) => {
        const stored = await projections.runs("A").read(RUN);
        await projections.runs("A").write(RUN, { bytes: Uint8Array.of(1) }, stored?.version ?? 0);
      },
    ],
    ["missing train-uid", async ({ eraser }: Tracker) => eraser.runs.removeJob("A", RUN)],
    [
      "additional other-uid",
      async ({ projections }: Tracker) => {
        const runs = projections.runs("A");
        const record = { ...recordOf(RUN.jobUid, await runs.read(RUN)), uid: "other-uid" };
        await runs.write({ ...RUN, jobUid: decodeJobUid("other-uid") ?? expect.fail() }, encodedRun(record), 0);
      },
    ],
  ])("are reported where they are %s, and a replay repairs them", async (problem, damage) => {
    const tracker = await imported();
    await damage(tracker);
    expect(await problemsOf(tracker)).toEqual([problem]);
    await tracker.replay();
    expect(await problemsOf(tracker)).toEqual([]);
  });

  it("are reported where they lack what the TrainJob above says, and a replay repairs them", async () => {
    const tracker = await imported(failedTrainJob());
    expect(await problemsOf(tracker)).toEqual([]);
    const runs = tracker.projections.runs("A");
    const stored = await runs.read(RUN);
    const { parents, ...record } = recordOf(RUN.jobUid, stored);
    const without = new Map([...parents].filter(([uid]) => uid !== "fit-uid"));
    await runs.write(RUN, encodedRun({ ...record, parents: without }), stored?.version ?? 0);
    expect(await problemsOf(tracker)).toEqual(["different train-uid"]);
    await tracker.replay();
    expect(await problemsOf(tracker)).toEqual([]);
  });
});
