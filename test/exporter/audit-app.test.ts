import { describe, expect, it } from "vitest";
import { auditApp } from "../../src/exporter/audit-app.ts";
import { AuditSource } from "../../src/exporter/audit-source.ts";
import { ManualClock } from "../support/running/manual-clock.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { ScriptedQueue } from "../support/stores/scripted-queue.ts";

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
    auditApp(source).request("/", { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  return { clock, queue, outcomes, source, post };
}

describe("the audit webhook", () => {
  it("sends who deleted what, and leaves out who only looked", async () => {
    const { clock, queue, outcomes, post } = open();
    const answered = await post({ kind: "EventList", apiVersion: "audit.k8s.io/v1", items: [deletion, read] });
    expect(answered.status).toBe(200);
    await clock.advance(500);
    expect(outcomes).toEqual(["taken", "ignored"]);
    expect(queue.segments).toMatchObject([
      [{ kind: "RequestHinted", hintId: "0a1b#ResponseComplete", target: { kind: "Pod", name: "render-1" } }],
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["another document", { kind: "Event" }],
    ["a list of nothing", { kind: "EventList" }],
  ])("refuses %s, so that it is not sent again for ever unseen", async (_, body) => {
    expect((await open().post(body)).status).toBe(400);
  });

  it("asks the API server to come back when the queue has been away for long", async () => {
    const { clock, queue, post } = open();
    queue.goAway();
    const statuses = [];
    for (const auditID of ["1", "2", "3"]) {
      statuses.push((await post({ kind: "EventList", items: [{ ...deletion, auditID }] })).status);
      await clock.advance(300);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("takes batches only", async () => {
    const { source } = open();
    expect((await auditApp(source).request("/")).status).toBe(405);
  });
});
