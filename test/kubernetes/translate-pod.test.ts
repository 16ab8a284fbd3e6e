import { describe, expect, it } from "vitest";
import { translate } from "../../src/kubernetes/translate.ts";
import {
  added,
  deleted,
  factsOf,
  JOB_UID,
  kindsOf,
  ownedByJob,
  POD_UID,
  podObject,
  toldOf,
  TRACKING_FINALIZER,
} from "../support/watch-objects.ts";

const second = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
const condition = (type: string, status: string, lastTransitionTime: string, more = {}) => ({
  type,
  status,
  lastTransitionTime: `2026-11-21T${lastTransitionTime}Z`,
  ...more,
});
const running = (name: string, startedAt: string, more = {}) => ({
  name,
  state: { running: { startedAt: `2026-11-21T${startedAt}Z` } },
  lastState: {},
  restartCount: 0,
  ready: true,
  ...more,
});
const terminated = (exitCode: number, startedAt: string, finishedAt: string, more = {}) => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    startedAt: `2026-11-21T${startedAt}Z`,
    finishedAt: `2026-11-21T${finishedAt}Z`,
    ...more,
  },
});

const indexOf = (annotation: unknown, labels = {}) =>
  toldOf(
    "PodCreated",
    added(podObject({ metadata: { labels, annotations: { "batch.kubernetes.io/job-completion-index": annotation } } })),
  )[0]?.index;
const restartedStatus = (state: object, restartCount: number) => ({
  phase: "Running",
  containerStatuses: [{ name: "work", state, lastState: terminated(137, "08:24:45", "08:24:46"), restartCount }],
});
const endOf = (state: object, options = {}) =>
  toldOf(
    "ContainerEnded",
    added(
      podObject({
        status: {
          phase: "Failed",
          containerStatuses: [{ name: "work", state: { terminated: state }, restartCount: 0 }],
        },
      }),
    ),
    options,
  )[0];

describe("a Pod that was just created", () => {
  const event = added(podObject());

  it("is created, tracked and observed", () => {
    expect(kindsOf(event)).toEqual(["PodCreated", "PodTracked", "PodObserved"]);
  });

  it("carries its Job's uid, its own, and its place in order in every fact", () => {
    for (const fact of factsOf(event, { epoch: 3 })) {
      expect(fact).toMatchObject({
        epoch: 3,
        resourceVersion: 715,
        jobUid: JOB_UID,
        podUid: POD_UID,
        at: second("08:24:44"),
      });
    }
  });

  it("says who it is", () => {
    expect(toldOf("PodCreated", event)).toEqual([
      { namespace: "night", name: "report-2vxzf", createdAt: second("08:24:44"), containers: ["work"] },
    ]);
  });

  it("gives the same facts whenever it is translated", () => {
    expect(translate(event)).toEqual(translate(structuredClone(event)));
  });
});

describe("the Job of a Pod", () => {
  it.each([
    [
      "the controller that the Pod names",
      { ownerReferences: [ownedByJob()] },
      ["PodCreated", "PodTracked", "PodObserved"],
    ],
    [
      "the one its label names once the owner is gone",
      { ownerReferences: [] },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
    [
      "the one its label of before 1.27 names",
      { ownerReferences: undefined, labels: { "controller-uid": JOB_UID } },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
    [
      "the one its label names where the owner does not control it any more",
      { ownerReferences: [ownedByJob({ controller: false })] },
      ["PodCreated", "PodTracked", "PodObserved", "PodReleased"],
    ],
  ])("is %s", (_, metadata, kinds) => {
    expect(kindsOf(added(podObject({ metadata })))).toEqual(kinds);
  });

  it.each([
    ["of another kind", { ownerReferences: [ownedByJob({ kind: "ReplicaSet", apiVersion: "apps/v1" })] }],
    ["of another group", { ownerReferences: [ownedByJob({ apiVersion: "batch.volcano.sh/v1alpha1" })] }],
    ["there is none, and no label", { ownerReferences: [], labels: { app: "web" } }],
    ["there is none, and the label is no uid", { ownerReferences: [], labels: { "controller-uid": "not a uid" } }],
    ["there is no metadata worth the name", { ownerReferences: "many", labels: null }],
  ])("is nobody where its controller is %s", (_, metadata) => {
    expect(translate(added(podObject({ metadata })))).toMatchObject({
      outcome: "ignored",
      reason: "The Pod belongs to no Job.",
    });
  });

  it("is told from the owner even where the label names another", () => {
    const facts = factsOf(added(podObject({ metadata: { labels: { "controller-uid": "another" } } })));
    expect(facts[0]).toMatchObject({ jobUid: JOB_UID });
  });
});

describe("a Pod's completion index", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    ["007", 7],
    ["+3", 3],
    ["-0", 0],
    ["-1", undefined],
    ["", undefined],
    ["3.0", undefined],
    ["0x1", undefined],
    ["99999999999999999999", undefined],
    [4, undefined],
    [null, undefined],
  ])("is read from the annotation %j as %j", (annotation, index) => {
    expect(indexOf(annotation)).toBe(index);
  });

  it("is not read from the label", () => {
    expect(indexOf(undefined, { "batch.kubernetes.io/job-completion-index": "5" })).toBeUndefined();
  });

  it.each([
    ["2", 2],
    ["2147483647", 2147483647],
    ["2147483648", 0],
    ["-4", 0],
    ["many", 0],
    [undefined, undefined],
  ])("has the failure count %j read as %j", (annotation, count) => {
    const annotations = {
      "batch.kubernetes.io/job-index-failure-count": annotation,
      "batch.kubernetes.io/job-index-ignored-failure-count": annotation,
    };
    const [told] = toldOf("PodCreated", added(podObject({ metadata: { annotations } })));
    expect([told?.indexFailureCount, told?.indexIgnoredFailureCount]).toEqual([count, count]);
  });
});

describe("the containers of a Pod", () => {
  it("are those of its spec that must end; sidecars stand apart", () => {
    const spec = {
      initContainers: [{ name: "prepare" }, { name: "proxy", restartPolicy: "Always" }],
      containers: [{ name: "work" }, { name: "upload" }],
      activeDeadlineSeconds: 30,
    };
    expect(toldOf("PodCreated", added(podObject({ spec })))[0]).toMatchObject({
      containers: ["work", "upload"],
      sidecars: ["proxy"],
      activeDeadlineSeconds: 30,
    });
  });

  it("are those of its status where a slim Pod has no spec", () => {
    const pod = podObject({ status: { containerStatuses: [running("work", "08:24:45")] } });
    expect(toldOf("PodCreated", added({ ...pod, spec: undefined }))[0]).toMatchObject({ containers: ["work"] });
  });

  it("are kept up to 32, and the fact says so", () => {
    const containers = Array.from({ length: 40 }, (_, number) => ({ name: `c${number}` }));
    const [told] = toldOf("PodCreated", added(podObject({ spec: { containers } })));
    expect(told?.containers).toHaveLength(32);
    expect(told?.truncated).toBe(true);
  });
});

describe("a Pod that runs", () => {
  const status = {
    phase: "Running",
    startTime: "2026-11-21T08:24:44Z",
    conditions: [condition("PodScheduled", "True", "08:24:44"), condition("Ready", "True", "08:24:46")],
    containerStatuses: [running("work", "08:24:46")],
  };
  const event = added(podObject({ spec: { nodeName: "node-a", containers: [{ name: "work" }] }, status }));

  it("was scheduled and started", () => {
    expect(toldOf("PodScheduled", event)).toEqual([{ node: "node-a", scheduledAt: second("08:24:44") }]);
    expect(toldOf("PodStarted", event)).toEqual([{ startedAt: second("08:24:46") }]);
  });

  it("is ready, with all its containers running", () => {
    expect(toldOf("PodObserved", event)).toEqual([{ phase: "Running", ready: true, restarts: 0 }]);
  });

  it("is as late as the latest instant it names", () => {
    expect(factsOf(event)[0]?.at).toBe(second("08:24:46"));
  });

  it("started when the kubelet took it on where no container says when", () => {
    const silent = added(podObject({ status: { phase: "Running", startTime: "2026-11-21T08:24:44Z" } }));
    expect(toldOf("PodStarted", silent)).toEqual([{ startedAt: second("08:24:44") }]);
  });

  it("names the containers that still run once one has ended", () => {
    const containerStatuses = [
      running("sidecar", "08:24:45"),
      { name: "work", state: terminated(0, "08:24:45", "08:24:50"), restartCount: 0 },
    ];
    const observed = toldOf("PodObserved", added(podObject({ status: { ...status, containerStatuses } })));
    expect(observed[0]).toMatchObject({ running: ["sidecar"] });
  });

  it("runs none of them where all have ended", () => {
    const containerStatuses = [{ name: "work", state: terminated(0, "08:24:45", "08:24:50"), restartCount: 0 }];
    expect(toldOf("PodObserved", added(podObject({ status: { ...status, containerStatuses } })))[0]).toMatchObject({
      running: [],
    });
  });

  it("says nothing of running containers where its status lists none", () => {
    const observed = toldOf("PodObserved", added(podObject({ status: { phase: "Running" } })));
    expect(observed).toEqual([{ phase: "Running", ready: false, restarts: 0 }]);
  });

  it("says since when it is not ready", () => {
    const conditions = [condition("Ready", "False", "08:25:01")];
    expect(toldOf("PodObserved", added(podObject({ status: { ...status, conditions } })))[0]).toMatchObject({
      ready: false,
      unreadySince: second("08:25:01"),
    });
  });
});

describe("a Pod whose container was restarted in place", () => {
  const waiting = { waiting: { reason: "CrashLoopBackOff", message: "back-off restarting failed container" } };

  it("has one end for the run before, numbered from 0", () => {
    expect(toldOf("ContainerEnded", added(podObject({ status: restartedStatus(waiting, 1) })))).toEqual([
      {
        container: "work",
        restartCount: 0,
        exitCode: 137,
        reason: "Error",
        startedAt: second("08:24:45"),
        finishedAt: second("08:24:46"),
      },
    ]);
  });

  it("has a second end once the next run is over", () => {
    const ends = toldOf(
      "ContainerEnded",
      added(podObject({ status: restartedStatus(terminated(0, "08:24:56", "08:24:58"), 3) })),
    );
    expect(ends.map(({ restartCount, exitCode }) => [restartCount, exitCode])).toEqual([
      [2, 137],
      [3, 0],
    ]);
  });

  it("counts restarts of init containers too, and says what it waits for", () => {
    const status = {
      ...restartedStatus(waiting, 1),
      initContainerStatuses: [running("proxy", "08:24:45", { restartCount: 2 })],
    };
    expect(toldOf("PodObserved", added(podObject({ status })))[0]).toMatchObject({
      restarts: 3,
      waiting: { container: "work", reason: "CrashLoopBackOff", message: "back-off restarting failed container" },
      running: ["proxy"],
    });
  });

  it("marks the end of an init container as such", () => {
    const status = {
      phase: "Pending",
      initContainerStatuses: [{ name: "prepare", state: terminated(0, "08:24:45", "08:24:46"), restartCount: 0 }],
    };
    expect(toldOf("ContainerEnded", added(podObject({ status })))[0]).toMatchObject({
      container: "prepare",
      init: true,
    });
  });

  it("waits for nothing worth telling while its container is being created", () => {
    const status = {
      phase: "Pending",
      containerStatuses: [{ name: "work", state: { waiting: { reason: "ContainerCreating" } }, restartCount: 0 }],
    };
    expect(toldOf("PodObserved", added(podObject({ status })))).toEqual([
      { phase: "Pending", ready: false, restarts: 0 },
    ]);
  });
});

describe("the end of a container", () => {
  it("has no start where the runtime wrote the beginning of time", () => {
    const end = endOf({
      exitCode: 128,
      reason: "StartError",
      startedAt: "1970-01-01T00:00:00Z",
      finishedAt: "2026-11-21T08:24:46Z",
    });
    expect(end).toEqual({
      container: "work",
      restartCount: 0,
      exitCode: 128,
      reason: "StartError",
      finishedAt: second("08:24:46"),
    });
  });

  it("keeps its message in the cluster unless somebody asks for it", () => {
    const state = { exitCode: 1, message: "password=hunter2" };
    expect(endOf(state)).toEqual({ container: "work", restartCount: 0, exitCode: 1 });
    expect(endOf(state, { containerMessages: true })).toMatchObject({ message: "password=hunter2" });
  });

  it("is exit code 0 where a client left the zero out, and no end at all where the code is no number", () => {
    expect(endOf({ reason: "Completed" })).toMatchObject({ exitCode: 0 });
    expect(endOf({ exitCode: "1" })).toBeUndefined();
  });
});

describe("a Pod whose phase is terminal", () => {
  const failed = {
    phase: "Failed",
    reason: "Evicted",
    message: "The node was low on resource: memory.",
    conditions: [
      condition("Ready", "False", "08:24:51", { reason: "PodFailed" }),
      condition("DisruptionTarget", "True", "08:24:50", { reason: "TerminationByKubelet", message: "low on memory" }),
    ],
    containerStatuses: [running("work", "08:24:46")],
  };

  it("has ended, with its conditions; of the standard ones only how they stand", () => {
    expect(toldOf("PodTerminated", added(podObject({ status: failed })))).toEqual([
      {
        phase: "Failed",
        reason: "Evicted",
        message: "The node was low on resource: memory.",
        conditions: [
          { type: "Ready", status: "False", lastTransitionAt: second("08:24:51") },
          {
            type: "DisruptionTarget",
            status: "True",
            reason: "TerminationByKubelet",
            message: "low on memory",
            lastTransitionAt: second("08:24:50"),
          },
        ],
        tracked: true,
        stillRunning: ["work"],
      },
    ]);
  });

  it("was disrupted where the condition says so", () => {
    expect(toldOf("PodDisrupted", added(podObject({ status: failed })))).toEqual([
      { reason: "TerminationByKubelet", message: "low on memory", disruptedAt: second("08:24:50") },
    ]);
  });

  it("is not observed as alive", () => {
    expect(kindsOf(added(podObject({ status: { phase: "Succeeded" } })))).not.toContain("PodObserved");
  });

  it.each(["Succeeded", "Failed"])("is untracked after it %s once the finalizer is gone", (phase) => {
    expect(kindsOf(added(podObject({ metadata: { finalizers: [] }, status: { phase } })))).toEqual([
      "PodCreated",
      "PodUntracked",
      "PodTerminated",
    ]);
  });

  it("keeps 16 conditions, and says that there were more", () => {
    const conditions = Array.from({ length: 20 }, (_, number) => condition(`Custom${number}`, "True", "08:24:51"));
    const [told] = toldOf("PodTerminated", added(podObject({ status: { phase: "Failed", conditions } })));
    expect(told?.conditions).toHaveLength(16);
    expect(told?.truncated).toBe(true);
  });
});

describe("a Pod that is being deleted", () => {
  const metadata = { deletionTimestamp: "2026-11-21T08:25:30Z", deletionGracePeriodSeconds: 30 };

  it("was asked to go its grace period before the deletionTimestamp", () => {
    expect(toldOf("PodDeletionRequested", added(podObject({ metadata, status: { phase: "Running" } })))).toEqual([
      { requestedAt: second("08:25:00"), graceSeconds: 30, phase: "Running", tracked: true },
    ]);
  });

  it("is as late as the request, not as the deletionTimestamp that lies ahead", () => {
    expect(factsOf(added(podObject({ metadata })))[0]?.at).toBe(second("08:25:00"));
  });

  it("says that the finalizer was off: it was released first", () => {
    expect(
      toldOf("PodDeletionRequested", added(podObject({ metadata: { ...metadata, finalizers: [] } })))[0],
    ).toMatchObject({ tracked: false });
  });
});

describe("a Pod that is gone", () => {
  it.each([
    ["with the finalizer still listed", [TRACKING_FINALIZER], true, true],
    ["without it", [], false, false],
  ])("%s is deleted and never untracked by that", (_, finalizers, tracked, hasTracked) => {
    const event = deleted(podObject({ metadata: { finalizers } }));
    expect(toldOf("PodDeleted", event)).toEqual([{ tracked }]);
    expect(kindsOf(event).includes("PodTracked")).toBe(hasTracked);
    expect(kindsOf(event)).not.toContain("PodUntracked");
  });
});

describe("clocks that disagree", () => {
  it("give facts all the same: a kubelet an hour ahead only makes them later", () => {
    const status = { phase: "Running", containerStatuses: [running("work", "09:24:46")] };
    expect(factsOf(added(podObject({ status })))[0]).toMatchObject({ resourceVersion: 715, at: second("09:24:46") });
  });

  it("give facts even where an instant lies at the end of time, or is none", () => {
    const status = {
      phase: "Running",
      startTime: "9999-12-31T23:59:59Z",
      containerStatuses: [{ name: "work", state: { running: { startedAt: "soon" } } }],
    };
    expect(factsOf(added(podObject({ status })))[0]?.at).toBe(Date.parse("9999-12-31T23:59:59Z"));
  });

  it("see a deletion with an endless grace period as one asked for long ago, in whole milliseconds", () => {
    const metadata = { deletionTimestamp: "2026-11-21T08:25:30Z", deletionGracePeriodSeconds: Number.MAX_SAFE_INTEGER };
    expect(Number.isSafeInteger(toldOf("PodDeletionRequested", added(podObject({ metadata })))[0]?.requestedAt)).toBe(
      true,
    );
  });
});
