import { beforeEach, describe, expect, it } from "vitest";
import { archivedJobs } from "../../../src/archive/read/open-archived-jobs.ts";
import { collectEvidence } from "../../../src/archive/evidence/collect-evidence.ts";
import { isJobFact } from "../../../src/job/model/fact.ts";
import { explainJob } from "../../../src/query/job/explain-job.ts";
import {
  ArchiveScene,
  EIGHT,
  endedJob,
  HOUR,
  jobDeleted,
  MINUTE,
  podReleased,
} from "../../support/archive/archive-scene.ts";
import { jobUid } from "../../support/facts/names.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";

const NOW = EIGHT + 3 * HOUR;
const story = { name: "report", createdAt: EIGHT, succeeds: false };
let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  const other = endedJob({ name: "other", createdAt: EIGHT });
  await scene.tracker.tell([...endedJob(story), ...other], EIGHT + 5 * MINUTE);
  await scene.tracker.tell([jobDeleted(story, EIGHT + HOUR)], EIGHT + HOUR);
});

async function collected(ports = scene.tracker.ports) {
  const { store, cluster } = scene;
  const wanted = { cluster, namespace: "shop", name: "report" };
  const all = { ...ports, archived: archivedJobs(store) };
  return collectEvidence({ ports: all, archive: store }, { scope: "everything", wanted }, NOW);
}

describe("the evidence of a Job", () => {
  it("has its facts, none of another Job, and the manifests up to the head", async () => {
    const { head } = await scene.archive(EIGHT + 4 * HOUR);
    const found = await collected();
    if (found.outcome !== "collected") throw new Error(found.outcome);
    const facts = found.evidence.files.flatMap((file) => file.facts.map(({ fact }) => fact));
    expect(facts).toHaveLength([...endedJob(story), 1].length);
    expect(new Set(facts.filter(isJobFact).map((fact) => fact.jobUid))).toEqual(new Set([jobUid("report")]));
    expect(found.evidence).toMatchObject({ head, notArchived: 0, archive: "archive-1" });
    expect(found.evidence.manifests).toHaveLength(3);
  });

  it("explains the Job as its tracker does", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const found = await collected();
    const wanted = { cluster: scene.cluster, namespace: "shop", name: "report" };
    const live = await explainJob(scene.tracker.ports, { scope: "everything", wanted }, { now: NOW });
    if (found.outcome !== "collected" || live.outcome !== "explained") throw new Error("The Job is known.");
    const { answer, chain, remedies, details } = live.why;
    expect(found.evidence.why).toMatchObject({ answer, chain, remedies, details });
    expect(found.evidence.answer).toMatchObject({ verdict: live.why.verdict, completeness: live.why.completeness });
  });

  it("is the same when the state of the Job has expired", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const expired = new SmallTracker();
    await expired.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
    expect(await collected(expired.ports)).toEqual(await collected());
  });

  it("counts segments that were added to an hour after it was archived as not archived", async () => {
    await scene.archiveUntilNow(EIGHT + HOUR + 10 * MINUTE);
    await scene.tracker.tell([podReleased(story, EIGHT + HOUR + MINUTE)], EIGHT + HOUR + 20 * MINUTE);
    expect(await collected()).toMatchObject({ outcome: "collected", evidence: { notArchived: 1 } });
    await scene.archive(EIGHT + 4 * HOUR);
    expect(await collected()).toMatchObject({ outcome: "collected", evidence: { notArchived: 0 } });
  });

  it("says how many segments are not archived yet", async () => {
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    expect(await collected()).toMatchObject({ outcome: "collected", evidence: { notArchived: 1 } });
  });

  it("does not exist before the Job is archived", async () => {
    expect(await collected()).toEqual({ outcome: "notArchived" });
  });

  it("is not collected of an unknown Job", async () => {
    expect(await collected(new SmallTracker().ports)).toMatchObject({ outcome: "unknownCluster" });
  });
});
