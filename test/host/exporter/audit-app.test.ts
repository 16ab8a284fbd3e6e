import { describe, expect, it } from "vitest";
import { auditApp } from "../../../src/host/exporter/audit-app.ts";
import { AuditSource } from "../../../src/host/exporter/audit-source.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";

const deletion = {
  level: "Metadata",
  auditID: "0a1b",
  stage: "ResponseComplete",
  verb: "delete",
  user: { username: "system:serviceaccount:kube-system:pod-garbage-collector" },
  objectRef: { resource: "pods", namespace: "render", name: "render-1" },
  responseStatus: { code: 200 },
  requestReceivedTimestamp: "2026-11-21T12:00:00.000000Z",
  stageTimestamp: "2026-11-21T12:00:00.100000Z",
};
const read = { ...deletion, auditID: "0a1c", verb: "get" };

function open() {
  const clock = new ManualClock();
  const queue = new ScriptedQueue();
  const outcomes: string[] = [];
  const source = new AuditSource({
    cluster: clusterNamed("east"),
    session: "a000000000000000",
    queue,
    clock,
    onDelivery: () => undefined,
    onAudit: (outcome) => outcomes.push(outcome),
    maxBytes: 200,
  });
  const post = (body: unknown) =>
    auditApp(source, TOKEN).request("/", {
      method: "POST",
      headers: AUTHORIZED,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { clock, queue, outcomes, source, post };
}
const TOKEN = "secret";
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

describe("the audit webhook", () => {
  it("forwards deletions, and ignores reads", async () => {
    const { clock, queue, outcomes, post } = open();
    const answered = await post({ kind: "EventList", apiVersion: "audit.k8s.io/v1", items: [deletion, read] });
    expect(answered.status).toBe(200);
    await clock.advance(500);
    expect(outcomes).toEqual(["taken", "ignored"]);
    expect(queue.segments).toMatchObject([
      [{ kind: "RequestHinted", hintId: "0a1b#ResponseComplete", target: { kind: "Pod", name: "render-1" } }],
    ]);
  });

  it("forwards the deletion of a JobSet", async () => {
    const { clock, queue, post } = open();
    const objectRef = { resource: "jobsets", apiGroup: "jobset.x-k8s.io", namespace: "ml", name: "train" };
    await post({ kind: "EventList", items: [{ ...deletion, objectRef }] });
    await clock.advance(500);
    expect(queue.segments).toMatchObject([[{ target: { kind: "JobSet", namespace: "ml", name: "train" } }]]);
  });

  it.each([
    ["invalid JSON", "{"],
    ["another document", { kind: "Event" }],
    ["a list without items", { kind: "EventList" }],
  ])("refuses %s with 400", async (_, body) => {
    expect((await open().post(body)).status).toBe(400);
  });

  it("refuses batches with 429 while the queue is unavailable", async () => {
    const { clock, queue, post } = open();
    queue.goAway();
    const statuses = [];
    for (const auditID of ["1", "2", "3"]) {
      statuses.push((await post({ kind: "EventList", items: [{ ...deletion, auditID }] })).status);
      await clock.advance(300);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each([
    ["no token", {}],
    ["another token", { authorization: "Bearer other" }],
    ["basic credentials", { authorization: "Basic c2VjcmV0" }],
  ])("refuses a batch with %s, and reads nothing from it", async (_, headers) => {
    const { source, outcomes } = open();
    const body = JSON.stringify({ kind: "EventList", items: [deletion] });
    const answered = await auditApp(source, TOKEN).request("/", { method: "POST", headers, body });
    expect(answered.status).toBe(401);
    expect(outcomes).toEqual([]);
  });

  it("refuses 15 MB of nested arrays", async () => {
    expect((await open().post("[".repeat(15_800_000))).status).toBe(400);
  });

  it.each([
    [100, 200],
    [140, 400],
  ])("bounds the depth before it parses a batch: one that is %i deep has status %i", async (depth, status) => {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const body = `{"kind":"EventList","items":[${JSON.stringify(deletion)}],"more":${nested}}`;
    expect((await open().post(body)).status).toBe(status);
  });

  it("refuses a batch of more than 16 MiB", async () => {
    const { source } = open();
    const body = new Uint8Array(16 * 1024 * 1024 + 1);
    const answered = await auditApp(source, TOKEN).request("/", { method: "POST", headers: AUTHORIZED, body });
    expect(answered.status).toBe(413);
  });

  it("accepts only batches", async () => {
    const { source } = open();
    expect((await auditApp(source, TOKEN).request("/", { headers: AUTHORIZED })).status).toBe(405);
  });
});
