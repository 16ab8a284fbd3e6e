import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeJobUid, decodePodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";
import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import { CaptureState, type CaptureStateOptions } from "../../../src/kubernetes/watch/capture-state.ts";
import type { KnownObjects } from "../../../src/kubernetes/watch/known-objects.ts";
import type { Position } from "../../../src/kubernetes/watch/position.ts";
import type { Step, StepContent } from "../../../src/kubernetes/watch/step.ts";
import { JOB_UID, jobObject, POD_UID, podObject } from "../../support/kubernetes/watch-objects.ts";

const NOW = Date.parse("2026-11-21T09:00:00Z");
const MINUTE = 60_000;
const version = (number: number) => decodeResourceVersion(String(number)) ?? expect.fail("no resourceVersion");
const job = decodeJobUid("known-job") ?? expect.fail("no uid");
const pod = decodePodUid("known-pod") ?? expect.fail("no uid");
const KNOWN: KnownObjects = { jobs: [job], pods: [{ podUid: pod, jobUid: job }] };

interface Told {
  readonly epoch?: number;
  readonly seenAt?: number;
  /** `null`: unknown, as within a list. */
  readonly resourceVersion?: number | null;
}

/** A capture that processes steps one by one, and its reports. */
class Scene {
  readonly events: CaptureEvent[] = [];
  /** How often it requested the known objects. */
  asked = 0;
  readonly #state: CaptureState;

  constructor({ known, uid = "cluster-1", ...options }: SceneOptions = {}) {
    const identity = { uid: uid === "" ? undefined : uid, serverVersion: "v1.36.3" };
    this.#state = new CaptureState(identity, () => NOW, {
      ...options,
      ...(known && { known: async () => ((this.asked += 1), known === "unavailable" ? undefined : known) }),
      report: (event) => this.events.push(event),
    });
  }

  async take(resource: WatchedResource, content: StepContent, told: Told = {}) {
    const { epoch = 0, seenAt = NOW, resourceVersion = 100 } = told;
    const position = { seenAt, ...(resourceVersion !== null && { resourceVersion: version(resourceVersion) }) };
    const step: Step = { resource, epoch, position, ...content };
    return this.#state.take(step);
  }

  /** A whole list of these objects. */
  async list(resource: WatchedResource, objects: readonly object[], { closesGap = true, isPartial = false } = {}) {
    await this.take(resource, { kind: "listing", closesGap }, { resourceVersion: null });
    const observations = objects.map((object) => ({ type: "ADDED" as const, object: { ...object } }));
    const seen = await this.take(resource, { kind: "seen", observations }, { resourceVersion: null });
    const listed = { kind: "listed", resourceVersion: version(100), at: NOW, isPartial } as const;
    const end = await this.take(resource, listed);
    return [...seen.facts, ...end.facts];
  }
}

interface SceneOptions extends Partial<Pick<CaptureStateOptions, "from">> {
  readonly known?: KnownObjects | "unavailable";
  /** "": unknown. */
  readonly uid?: string;
}

const kindsOf = (facts: readonly Fact[]) => facts.map(({ kind }) => kind).filter((kind) => kind !== "ClusterObserved");
const moved = { kind: "moved" } as const;

describe("a list after a gap", () => {
  it.each([
    ["a Job that the tracker knows and the list lacks has vanished", "jobs", [{ kind: "JobVanished", jobUid: job }]],
    ["a Pod likewise", "pods", [{ kind: "PodVanished", jobUid: job, podUid: pod }]],
    ["nothing is known of Nodes", "nodes", []],
    ["nothing is known of CronJobs", "cronjobs", []],
  ] as const)("%s", async (_, resource, facts) => {
    const scene = new Scene({ known: KNOWN });
    expect(await scene.list(resource, [])).toMatchObject(facts);
    expect(scene.asked).toBe(resource === "jobs" || resource === "pods" ? 1 : 0);
  });

  it("shows no deletion of an object that it has", async () => {
    const uid = decodeJobUid(JOB_UID) ?? expect.fail("no uid");
    const scene = new Scene({ known: { jobs: [uid], pods: [] } });
    expect(kindsOf(await scene.list("jobs", [jobObject()]))).not.toContain("JobVanished");
  });

  it("shows no deletion if an object of it could not be read", async () => {
    const scene = new Scene({ known: KNOWN });
    expect(await scene.list("jobs", [], { isPartial: true })).toEqual([]);
  });

  it("asks the tracker once for Jobs and Pods: afterwards, this capture knows the objects itself", async () => {
    const scene = new Scene({ known: KNOWN });
    await scene.list("jobs", []);
    await scene.list("jobs", []);
    expect(kindsOf(await scene.list("pods", []))).toEqual(["PodVanished"]);
    expect(scene.asked).toBe(1);
  });

  it("asks the tracker again if it could not answer before", async () => {
    const scene = new Scene({ known: "unavailable" });
    expect(kindsOf(await scene.list("jobs", []))).toEqual([]);
    expect(kindsOf(await scene.list("pods", []))).toEqual([]);
    expect(scene.asked).toBe(2);
  });

  it("asks nothing where the list closes no gap", async () => {
    const scene = new Scene({ known: KNOWN });
    expect(await scene.list("jobs", [], { closesGap: false })).toEqual([]);
    expect(scene.asked).toBe(0);
  });

  it("shows the deletion of an object that this capture has seen before", async () => {
    const scene = new Scene();
    await scene.list("jobs", [jobObject()]);
    expect(kindsOf(await scene.list("jobs", []))).toEqual(["JobVanished"]);
    expect(kindsOf(await scene.list("jobs", []))).toEqual([]);
  });

  it("names an object that cannot be read, and does not take it for deleted", async () => {
    const scene = new Scene();
    await scene.list("jobs", [jobObject()]);
    const odd = jobObject({ metadata: { resourceVersion: "soon" } });
    expect(kindsOf(await scene.list("jobs", [odd]))).toEqual([]);
    expect(scene.events).toMatchObject([{ kind: "rejected", resource: "jobs", object: "night/report" }]);
  });

  it("shows the deletion of an object of which only metadata was listed", async () => {
    const scene = new Scene();
    const { metadata } = podObject();
    await scene.take("pods", { kind: "present", objects: [{ metadata }] });
    expect(await scene.list("pods", [])).toMatchObject([{ kind: "PodVanished", podUid: POD_UID, jobUid: JOB_UID }]);
  });
});

/** The instants of the heartbeats after both streams moved to these instants. */
async function at(scene: Scene, jobs: number, pods: number): Promise<readonly number[]> {
  await scene.take("jobs", moved, { seenAt: jobs, resourceVersion: 7 });
  const { facts } = await scene.take("pods", moved, { seenAt: pods, resourceVersion: 9 });
  return facts.map((fact) => fact.at);
}

describe("the heartbeat", () => {
  it("is as of the instant up to which both Jobs and Pods were observed", async () => {
    expect(await at(new Scene(), NOW, NOW + 5_000)).toEqual([NOW]);
    expect(await at(new Scene(), NOW + 5_000, NOW)).toEqual([NOW]);
  });

  it("has the cluster's identity, and the order of the Jobs", async () => {
    const scene = new Scene();
    await scene.take("pods", moved, { seenAt: NOW, resourceVersion: 9 });
    const { facts } = await scene.take("jobs", moved, { seenAt: NOW, resourceVersion: 7 });
    const cluster = { kubeSystemUid: "cluster-1", serverVersion: "v1.36.3" };
    expect(facts).toEqual([{ kind: "ClusterObserved", epoch: 0, resourceVersion: 7, at: NOW, ...cluster }]);
  });

  it("says that writes are not dated while Jobs and Pods have no managedFields", async () => {
    const managedFields = [{ manager: "kubectl", time: "2026-11-21T08:40:00Z" }];
    for (const [object, expected] of [
      [jobObject(), true],
      [jobObject({ metadata: { managedFields } }), undefined],
    ] as const) {
      const scene = new Scene();
      await scene.list("jobs", [object]);
      const { facts } = await scene.take("pods", moved, { seenAt: NOW, resourceVersion: 9 });
      expect(facts.map((fact) => fact.kind === "ClusterObserved" && fact.undated)).toEqual([expected]);
    }
  });

  it("comes once a minute", async () => {
    const scene = new Scene();
    expect(await at(scene, NOW, NOW)).toHaveLength(1);
    expect(await at(scene, NOW + MINUTE - 1, NOW + MINUTE - 1)).toEqual([]);
    expect(await at(scene, NOW + MINUTE, NOW + MINUTE - 1)).toEqual([]);
    expect(await at(scene, NOW + MINUTE, NOW + MINUTE)).toEqual([NOW + MINUTE]);
  });

  it.each(["jobs", "pods"] as const)("does not come before the other of both was listed: only %s", async (resource) => {
    const scene = new Scene();
    expect((await scene.take(resource, moved)).facts).toEqual([]);
    const other = resource === "jobs" ? "pods" : "jobs";
    expect((await scene.take(other, moved, { resourceVersion: null })).facts).toEqual([]);
    expect((await scene.take(other, moved)).facts).toHaveLength(1);
  });
});

describe("a gap", () => {
  const gap = { from: NOW - 5_000, to: NOW, reason: "No watch." };

  it("is recorded with its resource and interval, and reported", async () => {
    const scene = new Scene();
    const { facts } = await scene.take("pods", { kind: "gap", gap }, { resourceVersion: 9 });
    const expected = { resources: ["pods"], gapId: `pods-${NOW - 5_000}-${NOW}`, ...gap };
    expect(facts).toEqual([{ kind: "GapRecorded", epoch: 0, resourceVersion: 9, at: NOW, ...expected }]);
    expect(scene.events).toEqual([{ kind: "gap", resource: "pods", millis: 5_000, reason: "No watch." }]);
  });

  it("has an order although the stream has no resourceVersion", async () => {
    const { facts } = await new Scene().take("pods", { kind: "gap", gap }, { resourceVersion: null });
    expect(facts).toMatchObject([{ resourceVersion: 1 }]);
  });

  it("comes before the deletions that the list shows, and also with a list that never began", async () => {
    const scene = new Scene();
    await scene.list("jobs", [jobObject()]);
    const listed = { kind: "listed", resourceVersion: version(100), at: NOW, isPartial: false, gap } as const;
    await scene.take("jobs", { kind: "listing", closesGap: true });
    expect(kindsOf((await scene.take("jobs", listed)).facts)).toEqual(["GapRecorded", "JobVanished"]);
    expect(kindsOf((await scene.take("jobs", listed)).facts)).toEqual(["GapRecorded"]);
  });
});

describe("the position of a capture", () => {
  const from: Position = {
    clusterUid: "cluster-1",
    epoch: 2,
    lastSeenAt: NOW,
    resources: { jobs: { seenAt: NOW, resourceVersion: version(50) }, pods: { seenAt: NOW - 1 } },
  };

  it("continues the one that it began with, resource by resource", async () => {
    const { position } = await new Scene({ from }).take("pods", moved, { epoch: 2, seenAt: NOW - 1 });
    const pods = { seenAt: NOW - 1, resourceVersion: 100 };
    expect(position).toEqual({ ...from, resources: { ...from.resources, pods } });
  });

  it.each([
    ["a later stream", NOW + 9, NOW + 9],
    ["the beginning, although every stream is earlier", NOW - 9, NOW],
  ])("was last seen at the instant of %s", async (_, seenAt, expected) => {
    const scene = new Scene({ from: { ...from, resources: {} } });
    expect((await scene.take("pods", moved, { epoch: 2, seenAt })).position.lastSeenAt).toBe(expected);
  });

  it("has no resourceVersion of an earlier epoch", async () => {
    const { position } = await new Scene({ from }).take("pods", moved, { epoch: 3 });
    const resources = { jobs: { seenAt: NOW }, pods: { seenAt: NOW, resourceVersion: 100 } };
    expect(position).toMatchObject({ epoch: 3, resources });
    expect(position.resources.jobs).toEqual({ seenAt: NOW });
  });

  it("is not moved by a step of an earlier epoch", async () => {
    const { position } = await new Scene({ from }).take("jobs", moved, { epoch: 1, resourceVersion: 900 });
    expect(position).toEqual(from);
  });

  it("does not name a cluster whose uid is unknown", async () => {
    const { position } = await new Scene({ uid: "" }).take("jobs", moved);
    expect(position).not.toHaveProperty("clusterUid");
  });
});
