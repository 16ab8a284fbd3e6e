import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { translate } from "../../src/kubernetes/translate.ts";
import { added, factsOf, jobObject, JOB_UID, kindsOf, podObject } from "../support/watch-objects.ts";

const problemPaths = (event: unknown): readonly string[] => {
  const translated = translate(event);
  return translated.outcome === "rejected" ? translated.problems.map(({ path }) => path) : [translated.outcome];
};

describe("a watch event", () => {
  it("of a bookmark is ignored", () => {
    const event = {
      type: "BOOKMARK",
      object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "12746" } },
    };
    expect(translate(event)).toEqual({
      outcome: "ignored",
      reason: "A bookmark says only how far the watch has come.",
    });
  });

  it("of an error is ignored, and the reason says why the watch ended", () => {
    const object = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: "too old resource version: 1 (4931)",
      reason: "Expired",
      code: 410,
    };
    expect(translate({ type: "ERROR", object })).toEqual({
      outcome: "ignored",
      reason: "The watch ended: too old resource version: 1 (4931) (Expired, 410)",
    });
  });

  it.each(["ConfigMap", "Secret", "ReplicaSet", "constructor", "__proto__"])("of a %s is ignored", (kind) => {
    expect(translate(added({ kind, apiVersion: "v1", metadata: { uid: "u" } })).outcome).toBe("ignored");
  });

  it("may be a bare object, which stands for ADDED", () => {
    expect(factsOf(podObject())).toEqual(factsOf(added(podObject())));
  });

  it("may leave the kind out where the caller knows it", () => {
    const { kind: _, apiVersion: __, ...job } = jobObject();
    expect(translate(added(job), { kind: "Job" })).toEqual(translate(added(jobObject())));
    expect(problemPaths(added(job))).toEqual(["object.kind"]);
  });

  it("may hold fields that nobody knows", () => {
    const pod = podObject({
      metadata: { selfLink: "/x", future: [1] },
      spec: { future: { deep: true } },
      status: { future: 1 },
      future: {},
    });
    expect(factsOf({ type: "ADDED", object: pod, future: 1 })).toEqual(factsOf(added(podObject())));
  });
});

describe("a watch event that cannot be read", () => {
  it.each([
    ["no object at all", null, [""]],
    ["a text", "ADDED", [""]],
    ["a list", [1, 2], [""]],
    ["an empty object", {}, ["kind"]],
    ["a type and no object", { type: "ADDED" }, ["object"]],
    ["an object that is none", { type: "ADDED", object: "Pod" }, ["object"]],
    ["an unknown type", { type: "RENAMED", object: podObject() }, ["type"]],
    ["no type", { object: podObject() }, ["type"]],
  ])("is rejected: %s", (_, event, paths) => {
    expect(problemPaths(event)).toEqual(paths);
  });
});

const rejected = (metadata: object) => [
  problemPaths(added(jobObject({ metadata: { ...metadata } }))),
  problemPaths(added(podObject({ metadata: { ...metadata } }))),
];

describe("the metadata of a Job or a Pod", () => {
  it.each([
    ["uid", undefined],
    ["uid", ""],
    ["uid", 7],
    ["uid", "with space"],
    ["uid", "u".repeat(129)],
    ["name", undefined],
    ["name", ""],
    ["name", "n".repeat(254)],
    ["name", "a/b"],
    ["name", "a#b"],
    ["name", "line\nbreak"],
    ["namespace", "n".repeat(64)],
    ["namespace", "a b"],
    ["resourceVersion", undefined],
    ["resourceVersion", ""],
    ["resourceVersion", "0"],
    ["resourceVersion", "0712"],
    ["resourceVersion", "-1"],
    ["resourceVersion", "1e3"],
    ["resourceVersion", "abc"],
    ["resourceVersion", "9007199254740992"],
    ["resourceVersion", "123456789012345678901234"],
    ["resourceVersion", 712],
  ])("is rejected with the %s %j, and says so", (field, value) => {
    expect(rejected({ [field]: value })).toEqual([[`object.metadata.${field}`], [`object.metadata.${field}`]]);
  });

  it("is rejected with all its problems at once", () => {
    expect(problemPaths(added({ kind: "Job" }))).toEqual([
      "object.metadata.uid",
      "object.metadata.name",
      "object.metadata.resourceVersion",
    ]);
  });

  it("is read at the limits of Kubernetes", () => {
    const metadata = {
      name: "n".repeat(253),
      namespace: "s".repeat(63),
      uid: "u".repeat(128),
      resourceVersion: "9007199254740991",
    };
    expect(factsOf(added(jobObject({ metadata })))[0]).toMatchObject({
      name: metadata.name,
      namespace: metadata.namespace,
      jobUid: metadata.uid,
      resourceVersion: Number.MAX_SAFE_INTEGER,
    });
  });

  it("makes facts as late as the last write of any field manager", () => {
    const managedFields = [{ manager: "kubectl", time: "2026-11-21T08:40:00Z" }, { manager: "x", time: "never" }, null];
    expect(factsOf(added(jobObject({ metadata: { managedFields } })))[0]?.at).toBe(Date.parse("2026-11-21T08:40:00Z"));
  });
});

describe("what must not leave the cluster", () => {
  const secret = "hunter2";
  const container = {
    name: "work",
    image: `registry.example/${secret}:1`,
    command: [secret],
    args: [`--password=${secret}`],
    env: [
      { name: "PASSWORD", value: secret },
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: secret, key: "k" } } },
    ],
    lifecycle: { preStop: { exec: { command: [secret] } } },
  };
  const spec = {
    containers: [container],
    initContainers: [container],
    volumes: [{ name: "v", secret: { secretName: secret } }],
  };
  const metadata = {
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": secret, "example.com/token": secret },
    managedFields: [{ manager: secret, fieldsV1: { [secret]: {} } }],
  };
  const ended = {
    name: "work",
    state: { terminated: { exitCode: 1, message: secret, containerID: secret } },
    lastState: { terminated: { exitCode: 1, message: secret } },
    image: secret,
    restartCount: 1,
  };

  it.each([
    ["Job", jobObject({ metadata, spec: { template: { metadata, spec } } })],
    [
      "Pod",
      podObject({
        metadata,
        spec,
        status: { phase: "Failed", podIP: secret, containerStatuses: [ended], initContainerStatuses: [ended] },
      }),
    ],
    ["running Pod", podObject({ metadata, spec, status: { phase: "Running", containerStatuses: [ended] } })],
    [
      "CronJob",
      {
        ...jobObject({ metadata }),
        kind: "CronJob",
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec } } } },
      },
    ],
    [
      "Node",
      {
        ...podObject({ metadata }),
        kind: "Node",
        status: { images: [{ names: [secret] }], addresses: [{ address: secret }] },
      },
    ],
  ])("is in no fact of a %s", (_, object) => {
    expect(JSON.stringify(factsOf(added(object)))).not.toContain(secret);
  });
});

describe("translation", () => {
  /** Objects with the right shape in most places and anything in some. */
  const anything = fc.jsonValue({ maxDepth: 4 });
  const or = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: anything });
  const time = or(
    fc.constantFrom(
      "2026-11-21T08:24:44Z",
      "1970-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999Z",
      "0001-01-01T00:00:00Z",
    ),
  );
  const count = or(fc.oneof(fc.maxSafeNat(), fc.integer(), fc.double()));
  const text = or(fc.string({ unit: "binary", maxLength: 400 }));
  const conditions = or(
    fc.array(
      or(
        fc.record({
          type: or(fc.constantFrom("Ready", "Complete", "Failed", "DisruptionTarget")),
          status: or(fc.constantFrom("True", "False")),
          reason: text,
          message: text,
          lastTransitionTime: time,
        }),
      ),
    ),
  );
  const state = or(
    fc.record(
      {
        running: or(fc.record({ startedAt: time })),
        waiting: or(fc.record({ reason: text, message: text })),
        terminated: or(
          fc.record({ exitCode: count, signal: count, reason: text, message: text, startedAt: time, finishedAt: time }),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const containers = or(
    fc.array(
      or(fc.record({ name: or(fc.constantFrom("work", "proxy")), state, lastState: state, restartCount: count })),
      { maxLength: 3 },
    ),
  );
  const metadata = or(
    fc.record({
      uid: or(fc.constant(JOB_UID)),
      name: or(fc.constant("report")),
      namespace: or(fc.constant("night")),
      resourceVersion: or(fc.constantFrom("1", "9007199254740991")),
      generation: count,
      creationTimestamp: time,
      deletionTimestamp: time,
      deletionGracePeriodSeconds: count,
      labels: or(fc.dictionary(fc.string(), text)),
      annotations: or(
        fc.dictionary(
          fc.constantFrom("batch.kubernetes.io/job-completion-index", "batch.kubernetes.io/job-tracking"),
          text,
        ),
      ),
      finalizers: or(fc.array(text)),
      ownerReferences: or(
        fc.array(
          or(
            fc.record({
              apiVersion: fc.constant("batch/v1"),
              kind: fc.constant("Job"),
              name: text,
              uid: or(fc.constant(JOB_UID)),
              controller: or(fc.constant(true)),
            }),
          ),
          { maxLength: 2 },
        ),
      ),
    }),
  );
  const status = or(
    fc.record({
      phase: or(fc.constantFrom("Running", "Succeeded", "Failed")),
      reason: text,
      startTime: time,
      conditions,
      containerStatuses: containers,
      initContainerStatuses: containers,
      succeeded: count,
      completedIndexes: text,
      uncountedTerminatedPods: or(fc.record({ succeeded: or(fc.array(text)) })),
    }),
  );
  const spec = or(
    fc.record(
      {
        completions: count,
        nodeName: or(fc.constant("node-a")),
        containers,
        taints: or(fc.array(or(fc.record({ key: text, effect: text })))),
        schedule: text,
        podFailurePolicy: anything,
        successPolicy: anything,
        template: anything,
      },
      { requiredKeys: [] },
    ),
  );
  const object = or(
    fc.record(
      {
        kind: or(fc.constantFrom("Job", "Pod", "Node", "CronJob", "Event")),
        apiVersion: or(fc.constantFrom("v1", "batch/v1", "audit.k8s.io/v1")),
        metadata,
        spec,
        status,
        involvedObject: or(fc.record({ kind: fc.constant("Pod"), name: text })),
      },
      { requiredKeys: ["kind", "metadata"] },
    ),
  );
  const event = or(
    fc.record({ type: or(fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")), object }),
  );

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.oneof(event, anything), (given) =>
        ["translated", "ignored", "rejected"].includes(translate(given).outcome),
      ),
      { numRuns: 500 },
    );
  });

  it("makes facts that are the same when they were written down and read back", () => {
    fc.assert(
      fc.property(event, (given) => {
        const translated = translate(given, { containerMessages: true });
        if (translated.outcome !== "translated") return;
        const bytes = new TextEncoder().encode(JSON.stringify(translated.facts));
        expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(translated.facts);
      }),
      { numRuns: 500 },
    );
  });

  it("makes facts whose numbers are whole and exact", () => {
    fc.assert(
      fc.property(event, (given) => {
        const translated = translate(given);
        if (translated.outcome !== "translated") return;
        JSON.stringify(translated.facts, (_, value: unknown) => {
          if (typeof value === "number") expect(value).toSatisfy(Number.isSafeInteger);
          return value;
        });
      }),
      { numRuns: 500 },
    );
  });

  it("bounds what one event can come to", () => {
    const huge = "\u{1f680}".repeat(5_000);
    const many = Array.from({ length: 2_000 }, (_, number) => `${number}-${huge.slice(0, 200)}`);
    const containerStatuses = many.map((name) => ({
      name,
      state: { terminated: { exitCode: 1, reason: huge, message: huge } },
      restartCount: 1,
    }));
    const pod = podObject({
      metadata: { labels: Object.fromEntries(many.map((key) => [key, huge])), finalizers: many },
      spec: { containers: many.map((name) => ({ name })), nodeName: "n" },
      status: {
        phase: "Failed",
        reason: huge,
        message: huge,
        conditions: many.map((type) => ({ type, status: "True", reason: huge, message: huge })),
        containerStatuses,
      },
    });
    const conditions = many.map((type) => ({ type, status: huge, reason: huge, message: huge }));
    const rules = many.map((action) => ({
      action,
      onExitCodes: { operator: huge, values: many.map((_, code) => code) },
    }));
    const job = jobObject({
      metadata: { labels: { a: huge }, finalizers: many, deletionTimestamp: "2026-11-21T08:24:44Z" },
      spec: {
        completionMode: huge,
        podFailurePolicy: { rules },
        successPolicy: { rules: many.map(() => ({ succeededIndexes: huge })) },
      },
      status: {
        conditions,
        completedIndexes: huge,
        uncountedTerminatedPods: { succeeded: many.map((uid) => uid.slice(0, 9)) },
      },
    });
    expect(kindsOf(added(pod))).toHaveLength(36);
    expect(JSON.stringify(factsOf(added(pod))).length).toBeLessThan(40_000);
    expect(JSON.stringify(factsOf(added(job))).length).toBeLessThan(60_000);
  });
});
