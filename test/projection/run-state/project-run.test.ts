import { describe, expect, it } from "vitest";
import { isJobFact, isRunFact } from "../../../src/job/model/fact.ts";
import { decodeJobUid, type JobUid } from "../../../src/job/model/ids.ts";
import { emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import { answerRun } from "../../../src/explain/run/answer-run.ts";
import { joinRunFacts } from "../../../src/explain/run/run-record.ts";
import { factsByRun } from "../../../src/parents/run/object-above.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import { encodedRun, projectRun, recordOf } from "../../../src/projection/run-state/project-run.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { failedTrainJob, restartedJobSet } from "../../support/story/run-story.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";

const RETRY = { attempts: 5, pause: async () => undefined };
const FACTS = restartedJobSet();
const KEY = { cluster: clusterOf("east"), jobUid: uidOf("train-uid") };
const WORKER = uidOf("train-worker-0-1");

function uidOf(text: string): JobUid {
  return decodeJobUid(text) ?? expect.fail();
}

/** Stores the state of a Job after the first `facts` of its facts. */
async function storeJob(jobs: MemoryJobStore, jobUid: JobUid, facts = Infinity): Promise<void> {
  const key = { cluster: KEY.cluster, jobUid };
  const own = FACTS.filter(isJobFact).filter((fact) => fact.jobUid === jobUid);
  const delta = { facts: own.slice(0, facts), segments: [] };
  const joined = (await joinJobState(emptyJobState(jobUid), delta, throwAwayPages())) ?? expect.fail();
  await jobs.write(key, { bytes: joined.bytes }, (await jobs.read(key))?.version ?? 0);
}

const change = (jobs: readonly JobUid[] = [WORKER]) => ({
  key: KEY,
  facts: FACTS.filter(isRunFact),
  jobs: new Set(jobs),
});

async function stateIn(runs: MemoryJobStore): Promise<string | undefined> {
  return recordOf(KEY.jobUid, await runs.read(KEY)).jobs.get(WORKER)?.job.state;
}

describe("the projection of a run", () => {
  it("has the facts about it, and what its Jobs show now", async () => {
    const [jobs, runs] = [new MemoryJobStore(), new MemoryJobStore()];
    await storeJob(jobs, WORKER);
    expect(await projectRun({ jobs, runs }, change(), RETRY)).toBe("written");
    expect(await stateIn(runs)).toBe("Complete");
    expect(recordOf(KEY.jobUid, await runs.read(KEY)).parents.size).toBe(1);
    expect((await runs.read(KEY))?.row).toMatchObject({ namespace: "ml", name: "train", phase: "F" });
  });

  it("is not written where nothing is new", async () => {
    const [jobs, runs] = [new MemoryJobStore(), new MemoryJobStore()];
    await storeJob(jobs, WORKER);
    await projectRun({ jobs, runs }, change(), RETRY);
    expect(await projectRun({ jobs, runs }, change(), RETRY)).toBe("unchanged");
  });

  it("loses a Job that is gone", async () => {
    const [jobs, runs] = [new MemoryJobStore(), new MemoryJobStore()];
    await storeJob(jobs, WORKER);
    await projectRun({ jobs, runs }, change(), RETRY);
    await jobs.remove({ cluster: KEY.cluster, jobUid: WORKER });
    await projectRun({ jobs, runs }, change(), RETRY);
    expect(await stateIn(runs)).toBeUndefined();
  });

  it.each(["read of the run", "read of the Job", "write of the run"])(
    "never keeps an earlier state of a Job if another projector comes first, before the %s",
    async (moment) => {
      const [jobs, runs] = [new MemoryJobStore(), new MemoryJobStore()];
      await storeJob(jobs, WORKER, 2);
      let isFirst = true;
      const other = async (now: string): Promise<void> => {
        if (!isFirst || now !== moment) return;
        isFirst = false;
        await storeJob(jobs, WORKER);
        await projectRun({ jobs, runs }, change(), RETRY);
      };
      const slow = {
        jobs: {
          read: async (key: Parameters<MemoryJobStore["read"]>[0]) => {
            await other("read of the Job");
            return jobs.read(key);
          },
        },
        runs: {
          read: async (key: Parameters<MemoryJobStore["read"]>[0]) => {
            await other("read of the run");
            return runs.read(key);
          },
          write: async (...args: Parameters<MemoryJobStore["write"]>) => {
            await other("write of the run");
            return runs.write(...args);
          },
        },
      };
      await projectRun(slow, change(), RETRY);
      expect(isFirst).toBe(false);
      expect(await stateIn(runs)).toBe("Complete");
    },
  );
});

describe("the projection of a TrainJob and its JobSet", () => {
  const OBJECTS = failedTrainJob().filter(isRunFact);
  const ABOVE = { cluster: KEY.cluster, jobUid: uidOf("fit-uid") };
  const jobs = new MemoryJobStore();
  const none = new Set<JobUid>();
  const jobSet = { key: KEY, facts: OBJECTS.filter(({ uid }) => uid === "train-uid"), jobs: none };
  const links = jobSet.facts.flatMap(factsByRun).flatMap(([run, fact]) => (run === "fit-uid" ? [fact] : []));
  const trainJob = { key: ABOVE, facts: OBJECTS.filter(({ uid }) => uid === "fit-uid"), jobs: none };

  async function verdictIn(runs: MemoryJobStore): Promise<string | undefined> {
    return answerRun(recordOf(KEY.jobUid, await runs.read(KEY)), { cluster: "east", now: 0 })?.verdict.reason;
  }

  it("writes the run of the JobSet again when the TrainJob changes", async () => {
    const runs = new MemoryJobStore();
    await projectRun({ jobs, runs }, jobSet, RETRY);
    await projectRun({ jobs, runs }, { ...trainJob, facts: links }, RETRY);
    expect((await runs.read(KEY))?.version).toBe(1);
    await projectRun({ jobs, runs }, trainJob, RETRY);
    expect(await verdictIn(runs)).toBe("DeadlineExceeded");
    expect((await runs.read(KEY))?.version).toBe(2);
  });

  it("writes a run that a killed projector left without the TrainJob, although the TrainJob is not new", async () => {
    const runs = new MemoryJobStore();
    await projectRun({ jobs, runs }, trainJob, RETRY);
    await projectRun({ jobs, runs: { ...storeOf(runs), read: async () => undefined } }, jobSet, RETRY);
    await runs.write(ABOVE, encodedRun(joinRunFacts(recordOf("fit-uid", await runs.read(ABOVE)), links)), 1);
    expect(await verdictIn(runs)).toBe("AllJobsCompleted");
    expect(await projectRun({ jobs, runs }, trainJob, RETRY)).toBe("unchanged");
    expect(await verdictIn(runs)).toBe("DeadlineExceeded");
  });

  it("does not store the run of a JobSet again that has expired", async () => {
    const runs = new MemoryJobStore();
    await projectRun({ jobs, runs }, { ...trainJob, facts: [...links, ...trainJob.facts] }, RETRY);
    expect(await runs.read(KEY)).toBeUndefined();
  });

  it.each(["read of the JobSet", "read of the TrainJob", "write of the JobSet"])(
    "never keeps an earlier state of the TrainJob if its projector comes first, before the %s",
    async (moment) => {
      const runs = new MemoryJobStore();
      await projectRun({ jobs, runs }, { ...jobSet, facts: jobSet.facts.slice(0, 1) }, RETRY);
      await projectRun({ jobs, runs }, { ...trainJob, facts: links }, RETRY);
      let isFirst = true;
      const other = async (now: string): Promise<void> => {
        if (!isFirst || now !== moment) return;
        isFirst = false;
        await projectRun({ jobs, runs }, trainJob, RETRY);
      };
      const slow = {
        read: async (key: JobKey) => {
          await other(`read of the ${key.jobUid === KEY.jobUid ? "JobSet" : "TrainJob"}`);
          return runs.read(key);
        },
        write: async (...args: Parameters<MemoryJobStore["write"]>) => {
          await other("write of the JobSet");
          return runs.write(...args);
        },
      };
      await projectRun({ jobs, runs: slow }, jobSet, RETRY);
      expect(isFirst).toBe(false);
      expect(await verdictIn(runs)).toBe("DeadlineExceeded");
    },
  );
});

function storeOf(runs: MemoryJobStore) {
  return {
    read: (key: JobKey) => runs.read(key),
    write: (...args: Parameters<MemoryJobStore["write"]>) => runs.write(...args),
  };
}
