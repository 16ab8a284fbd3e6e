import { describe, expect, it } from "vitest";
import { eventsOfJob, jobUidOf, type PlannedJob } from "../../../bench/fleet/job-template.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";

const JOB: PlannedJob = {
  end: "completes",
  cluster: "fleet-1",
  namespace: "team-4",
  name: "report-1-29000001",
  number: 1,
  lifetime: 40_000,
  ttl: 300_000,
};
const BEGINS_AT = Date.UTC(2026, 10, 21, 9);

async function answerOf(job: PlannedJob) {
  const batches = async function* () {
    for (const { event } of eventsOfJob(job, BEGINS_AT)) {
      const translated = translate(event);
      if (translated.outcome !== "translated") throw new Error(JSON.stringify(translated));
      yield translated.facts;
    }
  };
  const folded = await foldFacts(batches());
  return [...answersOf(folded, { cluster: job.cluster, now: BEGINS_AT + 3_600_000, pods: true })];
}

describe("the events of a simulated Job", () => {
  it("describe one Job that completed after its lifetime, and was deleted", async () => {
    const [answer, ...others] = await answerOf(JOB);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ name: JOB.name, namespace: JOB.namespace, uid: jobUidOf(JOB) });
    expect(answer?.verdict).toMatchObject({ state: "Complete", final: true });
    expect(answer?.findings).toEqual([]);
    expect(Date.parse(answer?.finishedAt ?? "") - BEGINS_AT).toBeCloseTo(40_000, -4);
    expect(answer?.deletedAt).toBeDefined();
  });

  it("describe a Job that failed after three retries", async () => {
    const [answer] = await answerOf({ ...JOB, end: "fails" });
    expect(answer?.verdict).toMatchObject({ state: "Failed", reason: "BackoffLimitExceeded" });
    expect(answer?.pods.failed).toBe(4);
  });

  it("are in order of time, from the creation to the deletion after the TTL", () => {
    const times = eventsOfJob(JOB, BEGINS_AT).map(({ ms }) => ms);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeCloseTo(340_000, -2);
  });

  it("have other uids for each Job of each cluster", () => {
    const uids = [JOB, { ...JOB, number: 2 }, { ...JOB, cluster: "fleet-2" }].map(jobUidOf);
    expect(new Set(uids).size).toBe(3);
  });
});
