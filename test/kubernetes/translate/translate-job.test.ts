import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, deleted, factsOf, jobObject, kindsOf, toldOf } from "../../support/kubernetes/watch-objects.ts";

const second = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
const condition = (type: string, status = "True", more = {}) => ({
  type,
  status,
  lastProbeTime: "2026-11-21T08:25:00Z",
  lastTransitionTime: "2026-11-21T08:25:00Z",
  ...more,
});
const specOf = (spec: object, metadata = {}) =>
  toldOf("JobSpecified", added(jobObject({ spec: { ...spec }, metadata })))[0];
const statusOf = (status: object) => toldOf("JobReported", added(jobObject({ status: { ...status } })))[0]?.status;

describe("a Job that was just created", () => {
  const event = added(jobObject());

  it("is created, specified and reported, without a known way of counting", () => {
    expect(kindsOf(event)).toEqual(["JobCreated", "JobSpecified", "JobReported"]);
  });

  it("has its identity in JobCreated", () => {
    expect(toldOf("JobCreated", event)).toEqual([
      { namespace: "night", name: "report", createdAt: second("08:24:44"), labels: { app: "report" } },
    ]);
  });

  it("has its spec in JobSpecified", () => {
    expect(toldOf("JobSpecified", event)).toEqual([
      {
        generation: 1,
        spec: {
          parallelism: 1,
          completions: 1,
          completionMode: "NonIndexed",
          backoffLimit: 6,
          suspend: false,
          podReplacementPolicy: "TerminatingOrFailed",
          restartPolicy: "Never",
        },
      },
    ]);
  });

  it("is in the namespace default where a slim object names none", () => {
    expect(toldOf("JobCreated", added(jobObject({ metadata: { namespace: undefined } })))[0]).toMatchObject({
      namespace: "default",
    });
  });

  it("names its CronJob, and the time it was scheduled for", () => {
    const metadata = {
      ownerReferences: [
        { kind: "Backup", name: "other", uid: "u1" },
        { apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid: "u2", controller: true },
      ],
      annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-11-21T09:24:00+01:00" },
    };
    expect(toldOf("JobCreated", added(jobObject({ metadata })))[0]).toMatchObject({
      owner: { kind: "CronJob", name: "nightly", uid: "u2" },
      scheduledAt: second("08:24:00"),
    });
  });
});

describe("a run of a CronJob that a person created", () => {
  const instantiate = { "cronjob.kubernetes.io/instantiate": "manual" };
  const due = { "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-11-21T08:24:00Z" };

  it.each<[string, object, true | undefined]>([
    ["by the annotation of kubectl", instantiate, true],
    ["but not with a due time, which a copy of a run has", { ...instantiate, ...due }, undefined],
    ["but not with another value", { "cronjob.kubernetes.io/instantiate": "auto" }, undefined],
  ])("is known %s", (_, annotations, manual) => {
    expect(toldOf("JobCreated", added(jobObject({ metadata: { annotations } })))[0]?.manual).toBe(manual);
  });
});

describe("a Job's spec", () => {
  it.each([
    ["neither parallelism nor completions", {}, { parallelism: 1, completions: 1 }],
    ["completions alone", { completions: 5 }, { parallelism: 1, completions: 5 }],
    ["parallelism alone: a work queue", { parallelism: 3 }, { parallelism: 3 }],
    ["null for both", { parallelism: null, completions: null }, { parallelism: 1, completions: 1 }],
    ["zeros", { parallelism: 0, completions: 0 }, { parallelism: 0, completions: 0 }],
  ])("has the API server's defaults with %s", (_, spec, wanted) => {
    const told = toldOf("JobSpecified", added({ ...jobObject(), spec }))[0]?.spec;
    expect(told).toEqual({
      completionMode: "NonIndexed",
      backoffLimit: 6,
      suspend: false,
      restartPolicy: "Never",
      ...wanted,
    });
  });

  it("has no back-off limit to speak of where each index has one", () => {
    const spec = { backoffLimit: undefined, backoffLimitPerIndex: 2, maxFailedIndexes: 3, completionMode: "Indexed" };
    expect(specOf(spec)?.spec).toMatchObject({
      backoffLimit: 2147483647,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: 3,
    });
  });

  it("keeps the deadline of the Job and that of its Pods apart", () => {
    const spec = {
      activeDeadlineSeconds: 16,
      template: { spec: { restartPolicy: "OnFailure", activeDeadlineSeconds: 3 } },
    };
    expect(specOf(spec)?.spec).toMatchObject({
      activeDeadlineSeconds: 16,
      podActiveDeadlineSeconds: 3,
      restartPolicy: "OnFailure",
    });
  });

  it("keeps its policies; a pattern without status means True", () => {
    const podFailurePolicy = {
      rules: [
        { action: "FailJob", onExitCodes: { containerName: "work", operator: "In", values: [42, 43] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }, { type: "Bad", status: "False" }] },
      ],
    };
    const successPolicy = { rules: [{ succeededIndexes: "0-2", succeededCount: 1 }, { succeededCount: 5 }] };
    expect(specOf({ podFailurePolicy, successPolicy, managedBy: "kueue.x-k8s.io/multikueue" })?.spec).toMatchObject({
      podFailurePolicy: {
        rules: [
          podFailurePolicy.rules[0],
          {
            action: "Ignore",
            onPodConditions: [
              { type: "DisruptionTarget", status: "True" },
              { type: "Bad", status: "False" },
            ],
          },
        ],
      },
      successPolicy,
      managedBy: "kueue.x-k8s.io/multikueue",
    });
  });

  it("matches nothing by succeeded indexes that are too long to keep", () => {
    const succeededIndexes = Array.from({ length: 2000 }, (_, index) => 2 * index).join(",");
    expect(
      specOf({ successPolicy: { rules: [{ succeededIndexes, succeededCount: 1 }] } })?.spec?.successPolicy,
    ).toEqual({
      rules: [{ succeededIndexes: "", succeededCount: 1 }],
    });
  });

  it.each(["3", -1, 1.5, {}, true])(
    "is rejected where completions is %j: a default would make another Job of it",
    (completions) => {
      expect(translate(added(jobObject({ spec: { completions } })))).toEqual({
        outcome: "rejected",
        problems: [{ path: "object.spec.completions", message: "Must be a whole number of at least 0." }],
      });
    },
  );

  it("goes by the generation that the API server counts", () => {
    expect(specOf({}, { generation: 4 })?.generation).toBe(4);
    expect(specOf({}, { generation: undefined })?.generation).toBe(0);
  });

  it("repeats its mutable fields in every report", () => {
    const spec = {
      parallelism: 2,
      completions: 8,
      suspend: true,
      activeDeadlineSeconds: 60,
      ttlSecondsAfterFinished: 0,
    };
    expect(toldOf("JobReported", added(jobObject({ spec })))[0]).toMatchObject({ generation: 1, mutable: spec });
  });
});

describe("a Job's reported status", () => {
  it("has the fields that Kubernetes wrote, and no others", () => {
    const status = {
      active: 2,
      ready: 1,
      terminating: 0,
      succeeded: 3,
      failed: 1,
      completedIndexes: "0-2",
      failedIndexes: "",
      startTime: "2026-11-21T08:24:44Z",
      completionTime: "2026-11-21T08:25:00Z",
      uncountedTerminatedPods: { succeeded: ["a"], failed: ["b", "c"] },
    };
    expect(statusOf(status)).toEqual({
      ...status,
      startTime: second("08:24:44"),
      completionTime: second("08:25:00"),
      uncountedTerminatedPods: undefined,
      uncounted: { succeeded: ["a"], failed: ["b", "c"] },
      conditions: [],
    });
    expect(statusOf({})).toEqual({ conditions: [] });
  });

  it("lists 100 uncounted Pods of each kind, and how many there were beyond", () => {
    const uids = Array.from({ length: 140 }, (_, number) => `pod-${number}`);
    const uncounted = statusOf({ uncountedTerminatedPods: { succeeded: uids, failed: uids.slice(0, 100) } })?.uncounted;
    expect(uncounted?.succeeded).toEqual(uids.slice(0, 100));
    expect(uncounted).toMatchObject({ succeededBeyond: 40 });
    expect(uncounted).not.toHaveProperty("failedBeyond");
  });

  it("drops an index set of more than 4 KiB, and is marked as truncated", () => {
    const completedIndexes = Array.from({ length: 2000 }, (_, index) => 2 * index).join(",");
    expect(statusOf({ completedIndexes, failedIndexes: "1" })).toEqual({
      conditions: [],
      failedIndexes: "1",
      truncated: true,
    });
  });

  it("keeps 16 conditions, those that decide before all others", () => {
    const conditions = [
      ...Array.from({ length: 20 }, (_, number) => condition(`Custom${number}`)),
      condition("Complete"),
    ];
    const status = statusOf({ conditions });
    expect(status?.conditions.map(({ type }) => type)).toEqual([
      "Complete",
      ...Array.from({ length: 15 }, (_, number) => `Custom${number}`),
    ]);
    expect(status?.truncated).toBe(true);
  });

  it("cuts a message at 256 bytes, never inside a character", () => {
    const message = `${"x".repeat(254)}\u00e9\u{1f680}`;
    const event = added(jobObject({ status: { conditions: [condition("Failed", "True", { message })] } }));
    expect(toldOf("JobReported", event, { messages: true })[0]?.status?.conditions[0]?.message).toBe(
      `${"x".repeat(254)}\u00e9`,
    );
  });
});

describe("how a Job is counted", () => {
  const tracking = { "batch.kubernetes.io/job-tracking": "" };
  const startTime = "2026-11-21T08:24:44Z";

  it.each([
    ["unknown before its first sync", {}, {}, {}, []],
    [
      "tracked once the list is there, if only empty",
      { startTime, uncountedTerminatedPods: {} },
      {},
      {},
      ["JobTracked"],
    ],
    ["tracked by its annotation before the first sync", {}, { annotations: tracking }, {}, ["JobTracked"]],
    ["untracked where it was started without the list", { startTime }, {}, {}, ["JobUntracked"]],
    ["unknown where another controller manages it", { startTime }, {}, { managedBy: "kueue.x-k8s.io/multikueue" }, []],
    [
      "untracked where the built-in controller is named",
      { startTime },
      {},
      { managedBy: "kubernetes.io/job-controller" },
      ["JobUntracked"],
    ],
  ])("is %s", (_, status, metadata, spec, kinds) => {
    const told = kindsOf(added(jobObject({ status, metadata, spec })));
    expect(told.filter((kind) => kind === "JobTracked" || kind === "JobUntracked")).toEqual(kinds);
  });
});

describe("a Job's end", () => {
  it.each(["Complete", "Failed"])("is proved by condition %s with status True", (type) => {
    const conditions = [condition("SuccessCriteriaMet"), condition(type, "True", { reason: "CompletionsReached" })];
    expect(toldOf("JobFinished", added(jobObject({ status: { conditions } })))).toEqual([
      { condition: { type, status: "True", reason: "CompletionsReached", lastTransitionAt: second("08:25:00") } },
    ]);
  });

  it.each([
    condition("Failed", "False"),
    condition("FailureTarget"),
    condition("Suspended"),
    { type: "Complete" },
    "Complete",
  ])("is not proved by %j", (entry) => {
    expect(kindsOf(added(jobObject({ status: { conditions: [entry] } })))).not.toContain("JobFinished");
  });
});

describe("a Job that is deleted", () => {
  const metadata = {
    deletionTimestamp: "2026-11-21T08:26:00Z",
    deletionGracePeriodSeconds: 0,
    finalizers: ["foregroundDeletion"],
  };

  it("has a deletion request with its finalizers", () => {
    expect(toldOf("JobDeletionRequested", added(jobObject({ metadata })))).toEqual([
      { requestedAt: second("08:26:00"), finalizers: ["foregroundDeletion"] },
    ]);
  });

  it("is deleted by a DELETED event, with or without a request", () => {
    expect(kindsOf(deleted(jobObject()))).toEqual(["JobCreated", "JobSpecified", "JobReported", "JobDeleted"]);
    expect(factsOf(deleted(jobObject({ metadata }))).at(-1)).toMatchObject({
      kind: "JobDeleted",
      at: second("08:26:00"),
    });
  });
});

describe("a Job's labels", () => {
  it("are kept whole and in order up to 4 KiB", () => {
    const labels = Object.fromEntries(
      Array.from({ length: 100 }, (_, number) => [`key-${String(number).padStart(3, "0")}`, "x".repeat(63)]),
    );
    const [told] = toldOf("JobCreated", added(jobObject({ metadata: { labels } })));
    expect(Object.keys(told?.labels ?? {})).toHaveLength(58);
    expect(told?.labels).toHaveProperty("key-057");
    expect(told?.truncated).toBe(true);
  });

  it("are strings, and others are left out", () => {
    expect(
      toldOf("JobCreated", added(jobObject({ metadata: { labels: { a: "1", b: 2, c: null } } })))[0]?.labels,
    ).toEqual({ a: "1" });
  });
});

describe("a Job of another API", () => {
  it.each(["batch.volcano.sh/v1alpha1", "kubeflow.org/v1", "batch/v2alpha1"])("is ignored: %s", (apiVersion) => {
    expect(translate(added(jobObject({ apiVersion })))).toEqual({
      outcome: "ignored",
      reason: "The API version of the Job is not batch/v1.",
    });
  });

  it("has API version batch/v1 where a slim object has none", () => {
    expect(kindsOf(added(jobObject({ apiVersion: undefined })))).toContain("JobCreated");
  });
});
