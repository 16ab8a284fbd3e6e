import { describe, expect, it } from "vitest";
import { decodePodUid, type PodUid } from "../../../../src/job/model/ids.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../../../src/job/model/order.ts";
import { OwnerMemory } from "../../../../src/kubernetes/translate/memory/owner-memory.ts";
import { translate } from "../../../../src/kubernetes/translate/translate.ts";
import {
  added,
  deleted,
  factsOf,
  JOB_UID,
  ownedByJob,
  POD_UID,
  podObject,
} from "../../../support/kubernetes/watch-objects.ts";

const modified = (object: object) => ({ type: "MODIFIED", object });
/** Nothing in it names the Job any more. */
const bare = { ownerReferences: [], labels: {}, resourceVersion: "720" };
/** Any observation after all that the tests tell. */
const now = { epoch: 0, resourceVersion: resourceVersion("900") };
function resourceVersion(text: string): ResourceVersion {
  const decoded = decodeResourceVersion(text);
  if (decoded === undefined) throw new Error(`${text} is a resourceVersion.`);
  return decoded;
}
const podUid = (text: string): PodUid => {
  const uid = decodePodUid(text);
  if (uid === undefined) throw new Error(`${text} is a uid.`);
  return uid;
};

function memoryOf(limit: number, ...events: readonly object[]): OwnerMemory {
  const memory = new OwnerMemory(limit);
  for (const event of events) memory.remember(factsOf(event, { jobsOfPod: memory.jobsOf }));
  return memory;
}

describe("a Pod whose owner reference and labels are gone", () => {
  it("has no Job without a memory", () => {
    expect(translate(modified(podObject({ metadata: bare })))).toMatchObject({ outcome: "ignored" });
  });

  it.each([
    ["nothing controls it any more", bare],
    ["its label names no Job that ever had it", { ...bare, labels: { "controller-uid": "somebody-else" } }],
    [
      "something else controls it now",
      { ...bare, ownerReferences: [ownedByJob({ kind: "ReplicaSet", apiVersion: "apps/v1", uid: "a-set" })] },
    ],
  ])("is released by the Job it is remembered to be of when %s", (_, metadata) => {
    const memory = memoryOf(10, added(podObject()));
    const facts = factsOf(modified(podObject({ metadata, status: { phase: "Succeeded" } })), {
      jobsOfPod: memory.jobsOf,
    });
    expect(facts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["PodCreated", "PodTerminated", "PodReleased"]),
    );
    for (const fact of facts) expect(fact).toMatchObject({ jobUid: JOB_UID, podUid: POD_UID });
  });

  it("stays the remembered Job's until it is gone", () => {
    const memory = memoryOf(10, added(podObject()), modified(podObject({ metadata: bare })));
    expect(memory.jobsOf(podUid(POD_UID), now)).toEqual([JOB_UID]);
    memory.remember(factsOf(deleted(podObject({ metadata: bare })), { jobsOfPod: memory.jobsOf }));
    expect(memory.jobsOf(podUid(POD_UID), now)).toEqual([]);
  });

  it("has no Job before the first one adopted it, even if that is observed late", () => {
    const found = podObject({ metadata: { ...bare, resourceVersion: "700" } });
    const memory = memoryOf(10, added(podObject()));
    expect(translate(modified(found), { jobsOfPod: memory.jobsOf })).toEqual({
      outcome: "ignored",
      reason: "The Pod belongs to no Job.",
      unowned: POD_UID,
    });
  });

  it("belongs to a Job since the first observation that shows it, in any order of observations", () => {
    const later = podObject({ metadata: { resourceVersion: "730" } });
    const released = podObject({ metadata: bare });
    const memory = memoryOf(10, added(later));
    expect(translate(modified(released), { jobsOfPod: memory.jobsOf }).outcome).toBe("ignored");
    memory.remember(factsOf(added(podObject())));
    expect(translate(modified(released), { jobsOfPod: memory.jobsOf }).outcome).toBe("translated");
  });

  it("is remembered after its deletion if recordings have no order", () => {
    const memory = new OwnerMemory(10, { keepsDeleted: true });
    memory.remember(factsOf(deleted(podObject())));
    expect(memory.jobsOf(podUid(POD_UID), now)).toEqual([JOB_UID]);
  });

  it("has facts of both Jobs after another one adopted it, and only the first released it", () => {
    const adopted = podObject({
      metadata: { ...bare, resourceVersion: "725", ownerReferences: [ownedByJob({ uid: "the-next" })] },
    });
    const memory = memoryOf(10, added(podObject()), modified(podObject({ metadata: bare })), modified(adopted));
    expect(memory.jobsOf(podUid(POD_UID), now)).toEqual([JOB_UID, "the-next"]);
    const told = factsOf(deleted(adopted), { jobsOfPod: memory.jobsOf }).flatMap((fact) =>
      "jobUid" in fact ? [`${fact.kind} ${fact.jobUid}`] : [],
    );
    expect(told).toEqual(expect.arrayContaining(["PodDeleted the-next", `PodDeleted ${JOB_UID}`]));
    expect(told.filter((text) => text.startsWith("PodReleased"))).toEqual([`PodReleased ${JOB_UID}`]);
  });
});

const pod = (uid: string) => added(podObject({ metadata: { uid } }));

describe("the memory of owners", () => {
  it("forgets the Pod that was observed least recently when there are too many", () => {
    const memory = memoryOf(2, pod("a"), pod("b"), pod("a"), pod("c"));
    expect(["a", "b", "c"].map((uid) => memory.jobsOf(podUid(uid), now).length > 0)).toEqual([true, false, true]);
  });

  it("learns nothing from a Job", () => {
    const memory = new OwnerMemory(1);
    memory.remember([]);
    expect(memory.jobsOf(podUid(POD_UID), now)).toEqual([]);
  });
});
