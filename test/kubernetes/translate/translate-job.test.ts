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
        images: [{ container: "work", image: "5ca0903bf302" }],
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

describe("the generation of a Job", () => {
  it("is the one that the API server counts", () => {
    expect(specOf({}, { generation: 4 })?.generation).toBe(4);
    expect(specOf({}, { generation: undefined })?.generation).toBe(0);
  });

  it("is in every report, with the mutable fields of the spec", () => {
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

const labelsOf = (labels: unknown) => toldOf("JobCreated", added(jobObject({ metadata: { labels } })))[0]?.labels;

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

  it("are sorted by key, without values that are no strings", () => {
    expect(Object.entries(labelsOf({ b: "2", a: "1", c: 3, d: null }) ?? {})).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  it("are measured in UTF-8", () => {
    expect(labelsOf({ a: "x".repeat(4000), b: "\u00e9".repeat(47) })).toHaveProperty("b");
    expect(labelsOf({ a: "x".repeat(4000), b: "\u00e9".repeat(48) })).toEqual({ a: "x".repeat(4000) });
  });

  it("do not change a prototype", () => {
    expect(Object.keys(labelsOf(JSON.parse('{"__proto__": "x", "a": "1"}')) ?? {})).toEqual(["a"]);
  });

  it.each([[undefined], [null], ["text"], [["a"]]])("are empty for %j", (value) => {
    expect(labelsOf(value)).toEqual({});
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
