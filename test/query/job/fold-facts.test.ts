import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { answersOf, foldFacts } from "../../../src/query/job/fold-facts.ts";
import { added, deleted, factsOf, jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const succeeded = podObject({
  metadata: { resourceVersion: "730" },
  spec: { nodeName: "node-a" },
  status: {
    phase: "Succeeded",
    containerStatuses: [
      { name: "work", restartCount: 0, state: { terminated: { exitCode: 0, finishedAt: "2026-11-21T08:25:00Z" } } },
    ],
  },
});
const node = {
  kind: "Node",
  metadata: { name: "node-a", uid: "n1", resourceVersion: "5", creationTimestamp: "2026-11-21T08:00:00Z" },
  status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-11-21T08:30:00Z" }] },
};
const hint = {
  kind: "Event",
  metadata: {
    name: "e",
    namespace: "night",
    uid: "e1",
    resourceVersion: "740",
    creationTimestamp: "2026-11-21T08:25:02Z",
  },
  involvedObject: { kind: "Pod", namespace: "night", name: "report-2vxzf" },
  reason: "Killing",
};
const story = [added(jobObject()), added(podObject()), added(succeeded), deleted(succeeded), added(node), added(hint)];

async function* batches(events: readonly unknown[]): AsyncGenerator<readonly Fact[]> {
  for (const event of events) yield factsOf(event);
}

describe("facts that are folded", () => {
  it("give the same answers in any order and with repeats", async () => {
    const options = { cluster: "prod", now: Date.parse("2026-11-21T09:00:00Z"), pods: true };
    const plain = [...answersOf(await foldFacts(batches(story)), options)];
    const disordered = [...answersOf(await foldFacts(batches([...story, ...story].toReversed())), options)];
    expect(plain).toHaveLength(1);
    expect(disordered).toEqual(plain);
  });

  it("are as late as the latest instant that any of them names", async () => {
    expect((await foldFacts(batches(story))).latestAt).toBe(Date.parse("2026-11-21T08:30:00Z"));
    expect((await foldFacts(batches([]))).latestAt).toBe(0);
  });

  it("include the context of Jobs: Nodes by name, hints by their object", async () => {
    const { clusterContext } = await foldFacts(batches(story));
    expect(clusterContext.nodes.get("node-a")?.stands).toMatchObject([{ ready: "False" }]);
    expect(clusterContext.hints.get("Pod/night/report-2vxzf")).toMatchObject([{ reason: "Killing" }]);
  });

  it("include CronJobs by uid, and deleted ones", async () => {
    const cronJob = {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "nightly", namespace: "night", uid: "c1", resourceVersion: "9" },
      spec: { schedule: "0 0 * * *", successfulJobsHistoryLimit: 1 },
    };
    const { clusterContext } = await foldFacts(batches([added(cronJob), deleted(cronJob)]));
    expect(clusterContext.cronJobs?.get("c1")).toMatchObject({
      observed: { successfulJobsHistoryLimit: 1 },
      deleted: { name: "nightly" },
    });
  });

  it("answer for Jobs by namespace, name and uid", async () => {
    const jobs = [
      ["b", "a", "3"],
      ["a", "b", "2"],
      ["a", "b", "1"],
      ["a", "a-long-name", "4"],
      ["a", "a", "5"],
    ].map(([namespace, name, uid]) => added(jobObject({ metadata: { namespace, name, uid } })));
    const answers = answersOf(await foldFacts(batches(jobs)), { cluster: "prod", now: 0, pods: false });
    expect([...answers].map(({ uid }) => uid)).toEqual(["5", "4", "1", "2", "3"]);
  });

  it("include attempts only on request", async () => {
    const [job] = answersOf(await foldFacts(batches(story)), { cluster: "prod", now: 0, pods: false });
    expect(job).not.toHaveProperty("attempts");
    const [withPods] = answersOf(await foldFacts(batches(story)), { cluster: "prod", now: 0, pods: true });
    expect(withPods?.attempts).toHaveLength(1);
  });
});
