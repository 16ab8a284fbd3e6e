import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slimObject } from "../../../src/kubernetes/recording/slim-object.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { anything, arbitraryWatchEvent } from "../../support/facts/arbitrary-watch-events.ts";
import {
  added,
  evictionRequest,
  factsOf,
  jobObject,
  kindsOf,
  podObject,
} from "../../support/kubernetes/watch-objects.ts";

describe("private text of a cluster", () => {
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
    [
      "EvictionRequest",
      evictionRequest({ metadata, status: { conditions: [{ type: "Failed", status: "True", message: secret }] } }),
    ],
  ])("is in no fact of a %s", (_, object) => {
    expect(JSON.stringify(factsOf(added(object)))).not.toContain(secret);
  });
});

describe("the text of messages", () => {
  const message = "password=hunter2 --token=abc";
  const waiting = { name: "work", state: { waiting: { reason: "CreateContainerError", message } }, restartCount: 0 };
  const ended = {
    name: "work",
    state: { terminated: { exitCode: 128, reason: "StartError", message } },
    lastState: { terminated: { exitCode: 1, reason: "Error", message } },
    restartCount: 1,
  };
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  const disrupted = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message };
  const conditions = [unscheduled, disrupted, { type: "Custom", status: "True", reason: "Custom", message }];
  const objects: readonly (readonly [string, Parameters<typeof added>[0]])[] = [
    ["a waiting Pod", podObject({ status: { phase: "Pending", conditions, containerStatuses: [waiting] } })],
    [
      "a failed Pod",
      podObject({
        status: { phase: "Failed", reason: "Evicted", message, conditions, initContainerStatuses: [ended] },
      }),
    ],
    ["a Job", jobObject({ status: { conditions: [{ type: "Failed", status: "True", reason: "Custom", message }] } })],
    ...["Failed", "Unhealthy", "FailedCreate", "FailedPostStartHook", "BackOff"].map(
      (reason) =>
        [
          `an Event ${reason}`,
          {
            ...podObject(),
            kind: "Event",
            involvedObject: { kind: "Pod", namespace: "night", name: "report-2vxzf", uid: "p1" },
            reason,
            message,
          },
        ] as const,
    ),
  ];

  it.each(objects)("stays in the cluster by default: %s", (_, object) => {
    expect(JSON.stringify(factsOf(added(object)))).not.toMatch(/hunter2|token=abc/);
    expect(JSON.stringify(factsOf(added(object), { names: true }))).not.toMatch(/hunter2|token=abc/);
  });

  it.each(objects)("leaves the cluster only if an option includes it: %s", (_, object) => {
    expect(JSON.stringify(factsOf(added(object), { messages: true }))).toContain("hunter2");
  });

  it.each(objects)("is in no recording by default: %s", (_, object) => {
    const kind = String(object["kind"]);
    const slim = slimObject(kind, object);
    expect(JSON.stringify(slim)).not.toMatch(/hunter2|token=abc/);
    expect(translate({ type: "ADDED", object: slim })).toEqual(translate(added(object)));
  });
});

describe("translation", () => {
  const readable = arbitraryWatchEvent.filter((event) => translate(event).outcome === "translated");

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryWatchEvent, anything), (given) =>
        ["translated", "ignored", "rejected"].includes(translate(given).outcome),
      ),
      { numRuns: 500 },
    );
  });

  it("makes facts that are the same when they were written down and read back", () => {
    fc.assert(
      fc.property(readable, (given) => {
        const facts = factsOf(given, { containerMessages: true });
        const bytes = new TextEncoder().encode(JSON.stringify(facts));
        expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(facts);
      }),
      { numRuns: 500 },
    );
  });

  it("makes facts whose numbers are whole and exact", () => {
    fc.assert(
      fc.property(readable, (given) => {
        JSON.stringify(factsOf(given), (_, value: unknown) => {
          if (typeof value === "number") expect(value).toSatisfy(Number.isSafeInteger);
          return value;
        });
      }),
      { numRuns: 500 },
    );
  });

  it("limits the facts of one event", () => {
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
    expect(kindsOf(added(pod))).toHaveLength(37);
    expect(JSON.stringify(factsOf(added(pod))).length).toBeLessThan(40_000);
    expect(JSON.stringify(factsOf(added(job))).length).toBeLessThan(60_000);
  });
});
