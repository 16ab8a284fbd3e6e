import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const ARRIVAL = "2026-11-21T12:00:00Z";
const arrivedAt = Date.parse(ARRIVAL);
const DAY = 86_400_000;

function translated(object: object, options = { arrivedAt }): readonly Fact[] {
  const result = translate(added(object as Parameters<typeof added>[0]), options);
  if (result.outcome !== "translated") throw new Error(JSON.stringify(result));
  return result.facts;
}

/** All instants of facts: numbers of the size of instants. */
function instantsIn(value: unknown): readonly number[] {
  if (typeof value === "number") return Math.abs(value) > 1e11 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(instantsIn) : [];
}

const node = (since: string): object => ({
  kind: "Node",
  apiVersion: "v1",
  metadata: { name: "n1", uid: "u1", resourceVersion: "7", creationTimestamp: since },
  status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: since }] },
});
const cronJob = (time: string): object => ({
  kind: "CronJob",
  apiVersion: "batch/v1",
  metadata: { name: "c", namespace: "a", uid: "u2", resourceVersion: "7", creationTimestamp: time },
  spec: { schedule: "* * * * *", suspend: false, concurrencyPolicy: "Allow", jobTemplate: {} },
  status: { lastScheduleTime: time, lastSuccessfulTime: time },
});
const job = (time: string): object =>
  jobObject({
    metadata: {
      creationTimestamp: time,
      deletionTimestamp: time,
      annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": time },
      managedFields: [{ time }],
    },
    status: {
      startTime: time,
      completionTime: time,
      conditions: [{ type: "Complete", status: "True", lastProbeTime: time, lastTransitionTime: time }],
    },
  });
const pod =
  (phase: string) =>
  (time: string): object => {
    const terminated = { exitCode: 1, startedAt: time, finishedAt: time };
    return podObject({
      metadata: { creationTimestamp: time, deletionTimestamp: time },
      spec: { nodeName: "n1" },
      status: {
        phase,
        startTime: time,
        conditions: ["PodScheduled", "Ready", "DisruptionTarget"].map((type) => ({
          type,
          status: type === "DisruptionTarget" ? "True" : "False",
          reason: "Unschedulable",
          lastTransitionTime: time,
        })),
        containerStatuses: [{ name: "work", state: { terminated }, lastState: { terminated }, restartCount: 1 }],
      },
    });
  };

const OBJECTS: readonly (readonly [string, (time: string) => object])[] = [
  ["a Job", job],
  ["a running Pod", pod("Running")],
  ["a waiting Pod", pod("Pending")],
  ["an ended Pod", pod("Failed")],
  ["a Node", node],
  ["a CronJob", cronJob],
];

describe.each(OBJECTS)("the instants of %s", (_, object) => {
  it.each(["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2013-12-31T23:59:59Z"])(
    "count as unknown if they are before 2014: %s",
    (time) => {
      expect(instantsIn(translated(object(time)))).toEqual([]);
    },
  );

  it.each(["2026-11-22T12:00:01Z", "2060-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])(
    "are the arrival or unknown if they are more than a day after it: %s",
    (time) => {
      expect(new Set(instantsIn(translated(object(time))))).toEqual(new Set([arrivedAt]));
    },
  );

  it("are as they are from 2014 to a day after the arrival", () => {
    for (const instant of [Date.UTC(2014, 0, 1), arrivedAt + DAY]) {
      const facts = translated(object(new Date(instant).toISOString()));
      expect(new Set(instantsIn(facts))).toEqual(new Set([instant]));
      expect(instantsIn(facts).length).toBeGreaterThan(1);
    }
  });

  it("lose no fact, whatever they are", () => {
    const [absurd, plausible] = ["9999-12-31T23:59:59Z", ARRIVAL].map((time) => translated(object(time)));
    expect(absurd?.map(({ kind }) => kind)).toEqual(plausible?.map(({ kind }) => kind));
  });
});

describe("instants without a known arrival", () => {
  it("may be in the future", () => {
    const time = "2060-01-01T00:00:00Z";
    const facts = translated(job(time), {} as { arrivedAt: number });
    expect(new Set(instantsIn(facts))).toEqual(new Set([Date.parse(time)]));
  });
});

const event = (times: object): object => ({
  kind: "Event",
  apiVersion: "v1",
  metadata: { name: "e", namespace: "a", uid: "u3", resourceVersion: "9" },
  involvedObject: { kind: "Job", namespace: "a", name: "j" },
  reason: "FailedCreate",
  ...times,
});
const audit = (requestReceivedTimestamp: string, stageTimestamp: string): object => ({
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  auditID: "a1",
  stage: "ResponseComplete",
  verb: "delete",
  objectRef: { resource: "jobs", namespace: "a", name: "j" },
  requestReceivedTimestamp,
  stageTimestamp,
});

describe("a hint", () => {
  it.each([
    ["an Event of the year 9999", event({ lastTimestamp: "9999-12-31T23:59:59Z" })],
    ["an Event of the year 2000", event({ lastTimestamp: "2000-01-01T00:00:00Z" })],
    ["an audit event of tomorrow's tomorrow", audit("2026-11-23T12:00:00Z", "2026-11-23T12:00:00Z")],
    ["an audit event of the year 1", audit("0001-01-01T00:00:00Z", ARRIVAL)],
  ])("is rejected: %s", (_, object) => {
    expect(translate(object, { arrivedAt })).toMatchObject({ outcome: "rejected", problems: [{ path: "" }] });
  });

  it.each([
    ["an Event without a time", event({})],
    ["an Event of today", event({ lastTimestamp: ARRIVAL })],
    ["an audit event of today", audit(ARRIVAL, ARRIVAL)],
  ])("is kept: %s", (_, object) => {
    expect(translate(object, { arrivedAt }).outcome).toBe("translated");
  });

  it("loses a first time that is implausible", () => {
    const times = { firstTimestamp: "0001-01-01T00:00:00Z", lastTimestamp: ARRIVAL };
    expect(translated(event(times))).toMatchObject([{ firstAt: 0, lastAt: arrivedAt }]);
  });
});
