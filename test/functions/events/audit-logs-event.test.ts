import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { onAuditLogs } from "../../../functions/events/audit-logs-event.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { eventsIn } from "../../support/recordings/example-recording.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { deliveryOf, failedInvocation, subscriptionMessage } from "../../support/aws/log-delivery.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScriptedQueue } from "../../support/stores/scripted-queue.ts";

const GROUP = "/aws/eks/east/cluster";
/** When the recordings were made. */
const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

/** The audit log of a real control plane. */
function auditLog(name: string): readonly string[] {
  const file = new URL(`../../../examples/${name}.audit.ndjson.gz`, import.meta.url);
  return gunzipSync(readFileSync(file)).toString().trim().split("\n");
}

function auditLogs({ now = NOON } = {}) {
  const queue = new ScriptedQueue();
  const journal = new FunctionJournal();
  const { count, logger } = journal;
  const clusters = new Map([[GROUP, clusterNamed("east")]]);
  const receive = (event: object) => onAuditLogs({ clusters, queue, count, logger, clock: { now: () => now } }, event);
  return { queue, journal, receive };
}

const byId = (facts: readonly Fact[]) =>
  new Map(facts.map((fact) => [fact.kind === "RequestHinted" ? fact.hintId : fact.kind, fact]));

describe("audit logs of CloudWatch Logs", () => {
  it.each(["ttl", "pod-gc-ate-success", "deadline"])(
    "become the facts that an import of the exported log group has: %s",
    async (name) => {
      const lines = auditLog(name);
      const { queue, receive } = auditLogs();
      await receive(deliveryOf(subscriptionMessage(GROUP, lines)));
      const imported = (await eventsIn(lines.join("\n"))).flatMap((event) => {
        const translated = translate(event);
        return translated.outcome === "translated" ? translated.facts : [];
      });
      expect(imported.length).toBeGreaterThan(0);
      expect(byId(queue.segments.flat())).toEqual(byId(imported));
    },
  );

  it("are the same segments when they are delivered again", async () => {
    const event = deliveryOf(subscriptionMessage(GROUP, auditLog("pod-gc-ate-success")));
    const { queue, receive } = auditLogs();
    await receive(event);
    const once = queue.accepted.length;
    await receive(event);
    expect(queue.accepted.slice(once)).toEqual(queue.accepted.slice(0, once));
  });

  it("fit into messages of the queue, however many they are", async () => {
    const [line = ""] = auditLog("ttl");
    const many = Array.from({ length: 3_000 }, (_, n) => line.replace(/"auditID":"[^"]+"/, `"auditID":"a-${n}"`));
    const { queue, receive, journal } = auditLogs();
    await receive(deliveryOf(subscriptionMessage(GROUP, many)));
    expect(queue.segments.flat()).toHaveLength(3_000);
    expect(Math.max(...queue.accepted.map(({ length }) => length))).toBeLessThanOrEqual(46 * 1024);
    expect(journal.counts.AuditedDeletions).toBe(3_000);
  });

  it("without a deletion send nothing", async () => {
    const read = JSON.stringify({ ...(JSON.parse(auditLog("ttl")[0] ?? "") as object), verb: "get" });
    const { queue, receive, journal } = auditLogs();
    await receive(deliveryOf(subscriptionMessage(GROUP, [read])));
    await receive(deliveryOf({ ...subscriptionMessage(GROUP, ["health"]), messageType: "CONTROL_MESSAGE" }));
    expect(queue.sends).toEqual([]);
    expect(journal.lines).toEqual([]);
  });

  it("that ingest would refuse as too old are sealed at the beginning of the day", async () => {
    const { queue, receive } = auditLogs({ now: NOON + 20 * DAY });
    await receive(deliveryOf(subscriptionMessage(GROUP, auditLog("ttl"))));
    const sealedAt = queue.accepted.map((bytes) => {
      const decoded = decodeSegment(bytes);
      return decoded.outcome === "decoded" ? decoded.segment.sealedAt : decoded.reason;
    });
    expect(new Set(sealedAt)).toEqual(new Set([NOON + 20 * DAY - DAY / 2]));
  });
});

describe("log events that cannot be read", () => {
  it("are counted and logged, and the others are sent", async () => {
    const { queue, receive, journal } = auditLogs();
    await receive(deliveryOf(subscriptionMessage(GROUP, ["I1121 started", "{", ...auditLog("ttl")])));
    expect(queue.segments.flat().length).toBeGreaterThan(0);
    expect(journal.counts.RejectedAuditLogs).toBe(2);
    expect(journal.lines).toEqual([expect.stringContaining("are no audit events")]);
  });

  it.each([
    [
      "a log group of no cluster",
      deliveryOf(subscriptionMessage("/aws/eks/west/cluster", ["{}"])),
      /west.*auditLogGroups/,
    ],
    ["data that is not gzip", { awslogs: { data: "aGVsbG8=" } }, /not gzip/],
  ])("are counted where they are %s", async (_, event, reason) => {
    const { queue, receive, journal } = auditLogs();
    expect(await receive(event)).toBeUndefined();
    expect(queue.sends).toEqual([]);
    expect(journal.counts.RejectedAuditLogs).toBe(1);
    expect(journal.lines[0]).toMatch(reason);
  });

  it("are refused as a whole where the event is of another service", async () => {
    await expect(auditLogs().receive({ source: "aws.events" })).rejects.toThrow("Unsupported event");
  });
});

describe("a delivery that cannot be sent to the queue", () => {
  const event = deliveryOf(subscriptionMessage(GROUP, auditLog("ttl")));

  it("fails, so that Lambda repeats it and then keeps it", async () => {
    const { queue, receive } = auditLogs();
    queue.goAway("SQS did not answer.");
    await expect(receive(event)).rejects.toThrow("Deletions of cluster east could not be sent to the queue. SQS did");
  });

  it("returns from the queue of failed ones until it is sent", async () => {
    const { queue, receive } = auditLogs();
    const failed = queueEvent([
      { messageId: "one", body: failedInvocation(event) },
      { messageId: "two", body: failedInvocation(event) },
    ]);
    queue.goAway();
    expect(await receive(failed)).toEqual({
      batchItemFailures: [{ itemIdentifier: "one" }, { itemIdentifier: "two" }],
    });
    queue.comeBack();
    expect(await receive(failed)).toEqual({ batchItemFailures: [] });
    expect(queue.segments.flat().length).toBeGreaterThan(0);
  });

  it("is done where the message of the queue is something else", async () => {
    const { receive, journal } = auditLogs();
    const other = queueEvent([
      { messageId: "one", body: "hello" },
      { messageId: "two", body: "{}" },
    ]);
    expect(await receive(other)).toEqual({ batchItemFailures: [] });
    expect(journal.counts.RejectedAuditLogs).toBe(2);
  });
});
