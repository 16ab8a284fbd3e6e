import { describe, expect, it } from "vitest";
import { isJobFact, type JobFact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { memberOf, runUidOfState } from "../../../src/projection/run-state/run-member.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { dagsterJob, restartedJobSet } from "../../support/story/run-story.ts";
import { Story } from "../../support/story/story.ts";

const EAST = clusterOf("east");

async function stateOf(facts: readonly JobFact[]) {
  const jobUid = decodeJobUid(facts[0]?.jobUid) ?? expect.fail();
  const joined = await joinJobState(emptyJobState(jobUid), { facts, segments: [] }, throwAwayPages());
  return joined?.state ?? expect.fail();
}

const factsOf = (uid: string) =>
  restartedJobSet()
    .filter(isJobFact)
    .filter(({ jobUid }) => jobUid === uid);

const isEnd = ({ kind }: JobFact) => kind === "PodTerminated" || kind === "ContainerEnded";

describe("what a run shows of a Job", () => {
  it("is its first failure with the Pod, its cause and its end", async () => {
    const state = await stateOf(factsOf("train-worker-1-0"));
    expect(runUidOfState(state)).toBe("train-uid");
    expect(memberOf(EAST, state)).toMatchObject({
      job: { name: "train-worker-1", role: "worker", attempt: 0, state: "Failed", firstFailure: { exitCode: 3 } },
      cause: { category: "application" },
      endedAt: Date.parse("2026-01-01T00:00:10Z"),
    });
  });

  it("has what the Job reserved, once it has ended and its Pods reserve nothing", async () => {
    const facts = factsOf("train-worker-1-0");
    const reserved = { pods: 1, podTime: new Map([["failed", 10_000n]]) };
    expect(memberOf(EAST, await stateOf(facts))?.usage).toMatchObject(reserved);
    const running = memberOf(EAST, await stateOf(facts.filter((fact) => !isEnd(fact))));
    expect([running?.job.state, running?.usage]).toEqual(["Failed", undefined]);
    const unfinished = memberOf(EAST, await stateOf(facts.filter(({ kind }) => kind !== "JobFinished")));
    expect([unfinished?.job.state, unfinished?.usage]).toEqual(["Running", undefined]);
  });

  it("has no labels of Kubernetes and its controllers", async () => {
    const story = new Story();
    const owner = { kind: "JobSet", name: "train", uid: "js-1" };
    story.jobCreated(
      {},
      { owner, labels: { "jobset.sigs.k8s.io/job-key": "1", "app.kubernetes.io/name": "a", team: "ml" } },
    );
    expect(memberOf(EAST, await stateOf(story.facts))?.labels).toEqual({ team: "ml" });
  });

  it("names a run that has no object", async () => {
    const state = await stateOf(dagsterJob("5f1a").filter(isJobFact));
    expect(memberOf(EAST, state)?.named).toEqual({ kind: "DagsterRun", name: "5f1a" });
  });

  it("of a large Job lacks the Pod that failed", async () => {
    const pods = Array.from({ length: 300 }, (_, pod) => [...podBeginFacts(pod), ...podEndFacts(pod)]).flat();
    const state = await stateOf([...largeJobFacts({ indexed: false, completions: 300 }), ...pods]);
    expect(state.layout).toBe("large");
    expect(memberOf(EAST, state)?.job.firstFailure).toBeUndefined();
  });

  it("is nothing while only Pods of the Job are known", async () => {
    const story = new Story();
    story.jobReported({ active: 1 });
    const state = await stateOf(story.facts);
    expect([runUidOfState(state), memberOf(EAST, state)]).toEqual([undefined, undefined]);
  });
});
