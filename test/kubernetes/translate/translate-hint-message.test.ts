import { describe, expect, it } from "vitest";
import { translateHintMessage } from "../../../src/kubernetes/translate/translate-hint-message.ts";

const EVENT = {
  metadata: { uid: "e1", name: "report.1", namespace: "night", resourceVersion: "7" },
  involvedObject: { kind: "Job", namespace: "night", name: "report", uid: "j1" },
  reason: "BackoffLimitExceeded",
  type: "Warning",
  lastTimestamp: "2026-11-21T11:59:00Z",
};
const AUDIT = {
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  auditID: "a1",
  stage: "ResponseComplete",
  verb: "delete",
  user: { username: "alice" },
  objectRef: { resource: "jobs", apiGroup: "batch", namespace: "night", name: "report" },
  responseStatus: { code: 200 },
  stageTimestamp: "2026-11-21T11:59:00.000000Z",
  requestReceivedTimestamp: "2026-11-21T11:59:00.000000Z",
};
const read = (object: unknown) => translateHintMessage(typeof object === "string" ? object : JSON.stringify(object));

describe("a message from another exporter", () => {
  it.each([
    ["an Event", EVENT, { facts: [{ kind: "EventHinted", reason: "BackoffLimitExceeded" }] }],
    ["an audit event", AUDIT, { facts: [{ kind: "RequestHinted", verb: "delete", user: "alice" }] }],
    ["an Event of a named cluster", { ...EVENT, clusterName: "west" }, { clusterName: "west", facts: [{}] }],
  ])("with %s is a hint", (_, message, hint) => {
    expect(read(message)).toMatchObject(hint);
  });

  it.each([
    ["an Event about another kind", { ...EVENT, involvedObject: { kind: "Service", namespace: "a", name: "b" } }],
    ["a normal Event that explains nothing", { ...EVENT, type: "Normal", reason: "Pulled" }],
    ["a request about another resource", { ...AUDIT, objectRef: { resource: "services", namespace: "a", name: "b" } }],
  ])("with %s has no facts", (_, message) => {
    expect(read(message)).toEqual({ facts: [] });
  });

  it.each([
    ["no JSON", "hello"],
    ["a list", "[]"],
    ["another object", { hello: "world" }],
    ["an Event without a uid", { ...EVENT, metadata: { name: "report.1" } }],
  ])("with %s is not a message of this form", (_, message) => {
    expect(read(message)).toBeUndefined();
  });
});
