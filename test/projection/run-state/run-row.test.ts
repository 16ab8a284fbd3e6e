import { describe, expect, it } from "vitest";
import { answerRun } from "../../../src/explain/run/answer-run.ts";
import { emptyRun, joinRunFacts, type RunMember, withMember } from "../../../src/explain/run/run-record.ts";
import { factsByRun } from "../../../src/parents/run/object-above.ts";
import { rowOfRun } from "../../../src/projection/run-state/run-row.ts";
import { isTrue, parentDeleted, parentObserved } from "../../support/facts/parent-facts.ts";

const member = (uid: string, said: Partial<RunMember> = {}): RunMember => ({
  namespace: "ml",
  owners: [{ kind: "MPIJob", namespace: "ml", name: "train", uid: "js-1", by: "ownerReference" }],
  externalIds: {},
  labels: {},
  level: "complete",
  job: { uid, name: uid, createdAt: 5_000, state: "Complete" },
  endedAt: 60_000,
  ...said,
});
const runOf = (...members: readonly RunMember[]) =>
  members.reduce((record, one) => withMember(record, one.job.uid, one), emptyRun("js-1"));

describe("the row of a run", () => {
  it("stays until its object ends, also if all of its Jobs have", () => {
    const running = joinRunFacts(runOf(member("a")), [parentObserved({ at: 1_000 })]);
    expect(rowOfRun(running)).toMatchObject({ namespace: "ml", name: "train", createdAt: 0, phase: "A" });
    const ended = joinRunFacts(running, [parentObserved({ at: 90_000, conditions: [isTrue("Failed", 90_000)] })]);
    expect(rowOfRun(ended)).toMatchObject({ phase: "F", endedAt: 90_000, attention: true });
    const deleted = joinRunFacts(running, [parentDeleted(70_000)]);
    expect(rowOfRun(deleted)).toMatchObject({ phase: "F", endedAt: 70_000, attention: false });
  });

  it("expires with its last Job if nothing else of it was observed", () => {
    const { endedAt: _, ...running } = member("b");
    expect(rowOfRun(runOf(member("a"), running))).toMatchObject({ phase: "A" });
    const late = member("b", { endedAt: 80_000 });
    expect(rowOfRun(runOf(member("a"), late))).toMatchObject({ phase: "F", endedAt: 80_000, createdAt: 5_000 });
  });

  it("has the id by which another system knows all of its Jobs", () => {
    const ids = { "dagster/job": "load", "dagster/run-id": "5f1a" };
    const known = member("a", { externalIds: ids });
    expect(rowOfRun(runOf(known))?.externalId).toBe("dagster/run-id=5f1a");
    expect(rowOfRun(runOf(known, member("b")))?.externalId).toBeUndefined();
    const added = member("a", { externalIds: { "acme/sweep": "s-1", "acme/team": "ml" } });
    expect(rowOfRun(runOf(added))?.externalId).toBe("acme/sweep=s-1");
    const long = member("a", { externalIds: { "dagster/run-id": "x".repeat(2_000) } });
    expect(rowOfRun(runOf(long))?.externalId).toBeUndefined();
  });

  it("of a Job on its own that Kueue admits ends with its Workload", () => {
    const owner = { kind: "Job", name: "report", uid: "js-1" };
    const workload = parentObserved({ of: "Workload", name: "job-report", uid: "w-1", owner, createdAt: 1_000 });
    const waiting = joinRunFacts(emptyRun("js-1"), [workload]);
    expect(rowOfRun(waiting)).toMatchObject({ name: "report", createdAt: 1_000, phase: "A" });
    const finished = { ...workload, at: 9_000, conditions: [isTrue("Finished", 8_000)] };
    expect(rowOfRun(joinRunFacts(waiting, [finished]))).toMatchObject({ phase: "F", endedAt: 8_000 });
  });

  it("of a TrainJob, whose run is that of its JobSet, is for its expiry alone", () => {
    const trainJob = parentObserved({ of: "TrainJob", name: "bert", createdAt: 1_000 });
    const running = joinRunFacts(emptyRun("js-1"), [trainJob]);
    expect(rowOfRun(running)).toMatchObject({ name: "bert", createdAt: 1_000, phase: "A", attention: false });
    const failed = { ...trainJob, at: 9_000, conditions: [isTrue("Failed", 8_000)] };
    expect(rowOfRun(joinRunFacts(running, [failed]))).toMatchObject({ phase: "F", endedAt: 8_000, attention: false });
    expect(answerRun(running, { cluster: "east", now: 9_000 })).toBeUndefined();
  });

  it("of a TrainJob that was not observed expires after the creation of its JobSet, until it is observed", () => {
    const owner = { kind: "TrainJob", name: "bert", uid: "tj-1" };
    const links = factsByRun(parentObserved({ owner, at: 9_000, createdAt: 1_000 })).slice(1);
    const linked = joinRunFacts(
      emptyRun("tj-1"),
      links.map(([, link]) => link),
    );
    expect(rowOfRun(linked)).toMatchObject({ namespace: "ml", phase: "F", endedAt: 1_000, attention: false });
    expect(answerRun(linked, { cluster: "east", now: 9_000 })).toBeUndefined();
    const trainJob = parentObserved({ of: "TrainJob", uid: "tj-1", runUid: "tj-1", name: "bert" });
    expect(rowOfRun(joinRunFacts(linked, [trainJob]))).toMatchObject({ name: "bert", phase: "A" });
  });

  it("does not exist while nothing names the run", () => {
    expect(rowOfRun(emptyRun("js-1"))).toBeUndefined();
  });
});
