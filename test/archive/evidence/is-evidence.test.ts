import { describe, expect, it } from "vitest";
import { isEvidenceOf } from "../../../src/archive/evidence/is-evidence.ts";
import type { ClusterFact } from "../../../src/job/model/fact.ts";
import { loadJob, recordOf } from "../../../src/query/job/load-job.ts";
import { ArchiveScene, EIGHT, endedJob, MINUTE } from "../../support/archive/archive-scene.ts";

const story = { name: "report", createdAt: EIGHT };
const [first] = endedJob(story);

function around(fact: object): ClusterFact {
  const { epoch, resourceVersion, at } = first ?? {};
  return { epoch, resourceVersion, at, ...fact } as ClusterFact;
}

const request = (name: string) => ({
  kind: "RequestHinted",
  hintId: name,
  target: { kind: "Pod", namespace: "shop", name },
  verb: "delete",
  user: "ann",
  code: 200,
  requestedAt: EIGHT + 2 * MINUTE,
});
const node = (name: string) => ({
  kind: "NodeObserved",
  node: name,
  nodeUid: name,
  ready: "False",
  since: EIGHT + 2 * MINUTE,
});

async function isEvidence(fact: ClusterFact): Promise<boolean> {
  const scene = new ArchiveScene();
  await scene.tracker.tell([...endedJob(story), fact], EIGHT + 5 * MINUTE);
  const wanted = { cluster: scene.cluster, namespace: "shop", name: "report" };
  const loaded = await loadJob(scene.tracker.ports, "everything", wanted);
  if (loaded.outcome !== "loaded") throw new Error(loaded.outcome);
  return isEvidenceOf(await recordOf(loaded), loaded)(fact);
}

describe("evidence", () => {
  it.each([
    ["a request about a Pod of the Job", request("report-x"), true],
    ["a request about another Pod", request("other-x"), false],
    ["a state of a Node of its Pods", node("node-1"), true],
    ["a state of another Node", node("node-2"), false],
    ["a gap", { kind: "GapRecorded", gapId: "g", from: 1, to: 2, resources: ["jobs"], reason: "x" }, true],
  ])("includes %s: %s", async (_, fact, expected) => {
    expect(await isEvidence(around(fact))).toBe(expected);
  });

  it("includes the facts about the Job and its Pods, and none of other Jobs", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(endedJob(story), EIGHT + 5 * MINUTE);
    const wanted = { cluster: scene.cluster, namespace: "shop", name: "report" };
    const loaded = await loadJob(scene.tracker.ports, "everything", wanted);
    if (loaded.outcome !== "loaded") throw new Error(loaded.outcome);
    const is = isEvidenceOf(await recordOf(loaded), loaded);
    expect(endedJob(story).every(is)).toBe(true);
    expect(endedJob({ name: "other", createdAt: EIGHT }).some(is)).toBe(false);
  });
});
