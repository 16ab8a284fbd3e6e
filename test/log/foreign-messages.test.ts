import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestMessages } from "../../src/log/ingest-messages.ts";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import { translateHintMessage } from "../../src/kubernetes/translate/translate-hint-message.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const SENDER = "AROAEXAMPLEEXAMPLE123";

/** A message of kubernetes-event-exporter: the Event without kind and apiVersion, with fields of its object. */
const event = {
  metadata: {
    name: "report.18a1",
    namespace: "night",
    uid: "0b6f1d1e-0000-4000-8000-000000000001",
    resourceVersion: "731",
    creationTimestamp: "2026-11-21T11:59:00Z",
  },
  reason: "BackoffLimitExceeded",
  message: "Job has reached the specified backoff limit",
  source: { component: "job-controller" },
  firstTimestamp: "2026-11-21T11:59:00Z",
  lastTimestamp: "2026-11-21T11:59:00Z",
  count: 1,
  type: "Warning",
  eventTime: null,
  reportingComponent: "job-controller",
  clusterName: "west",
  involvedObject: {
    kind: "Job",
    namespace: "night",
    name: "report",
    uid: "j1",
    apiVersion: "batch/v1",
    labels: { app: "report" },
    annotations: { secret: "x" },
    deleted: false,
  },
};

function open({ isOpen = false } = {}) {
  const log = new MemoryLog();
  const meta = new MemoryMetaStore();
  const registrations = new MemoryRegistrations();
  const principals = registrations.cached("senders");
  const senders = new SenderRegistry({ principals, meta, open: isOpen, now: () => NOON });
  const ports = { log, meta, senders, days: new LogDayRegistry(meta), readForeign: translateHintMessage };
  const send = async (...messages: readonly unknown[]) => {
    const queued = messages.map((message, at) => ({
      id: String(at),
      bytes: Buffer.from(typeof message === "string" ? message : JSON.stringify(message)),
      senderId: `${SENDER}:exporter`,
    }));
    return ingestMessages(ports, queued, NOON);
  };
  const register = (cluster: string) => {
    registrations.put("senders", SENDER, { cluster });
    senders.forget();
  };
  return { send, register };
}

describe("a message of kubernetes-event-exporter", () => {
  it("becomes a hint in the log of the cluster that its sender is registered for", async () => {
    const { send, register } = open();
    register("east");
    expect(await send(event)).toMatchObject([
      {
        ingested: {
          outcome: "appended",
          item: { segment: { cluster: "east", facts: [{ kind: "EventHinted", reason: "BackoffLimitExceeded" }] } },
        },
      },
    ]);
  });

  it("is the same log item if any replica sends it again", async () => {
    const { send, register } = open();
    register("east");
    const outcomes = await send(event, event);
    const told = outcomes.map((outcome) => ("ingested" in outcome ? outcome.ingested.outcome : "none"));
    expect(told.toSorted()).toEqual(["appended", "duplicate"]);
  });

  it("belongs to the cluster that it names in open mode", async () => {
    const [outcome] = await open({ isOpen: true }).send(event);
    expect(outcome).toMatchObject({ ingested: { outcome: "appended", item: { segment: { cluster: "west" } } } });
  });

  it("is set aside with the id to register if its sender is unregistered", async () => {
    const [outcome] = await open().send(event);
    expect(outcome).toMatchObject({
      ingested: { outcome: "setAside", reason: expect.stringContaining(SENDER) as unknown },
    });
  });

  it("is ignored if it is not about Jobs", async () => {
    const { send, register } = open();
    register("east");
    const other = { ...event, involvedObject: { ...event.involvedObject, kind: "ReplicaSet" } };
    expect(await send(other)).toEqual([{ id: "0", ignored: true }]);
  });

  it.each([
    ["other JSON", { hello: 1 }],
    ["text that begins like JSON", "{"],
  ])("is set aside: %s", async (_, message) => {
    const { send, register } = open();
    register("east");
    expect(await send(message)).toMatchObject([{ ingested: { outcome: "setAside" } }]);
  });
});

describe("a message with an audit event", () => {
  it("becomes a hint", async () => {
    const { send, register } = open();
    register("east");
    const audit = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      auditID: "0a1b",
      stage: "ResponseComplete",
      verb: "delete",
      user: { username: "alice" },
      objectRef: { resource: "jobs", namespace: "night", name: "report" },
      requestReceivedTimestamp: "2026-11-21T11:59:00.000000Z",
    };
    expect(await send(audit)).toMatchObject([
      { ingested: { outcome: "appended", item: { segment: { facts: [{ kind: "RequestHinted", user: "alice" }] } } } },
    ]);
  });
});
