import { describe, expect, it } from "vitest";
import { contentSession } from "../../src/log/content-session.ts";
import { acceptedSealedAt, sendFacts } from "../../src/log/send-facts.ts";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestMessages } from "../../src/log/ingest-messages.ts";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import type { OutgoingSegment, SegmentQueue } from "../../src/ports/segment-queue.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";
import { Story } from "../support/story/story.ts";

const cluster = clusterNamed("east");
const DAY = 86_400_000;

function recording(job = "render"): Story {
  const story = new Story(job);
  story.jobCreated();
  story.podCreated("a", { containers: ["work"] });
  story.podTerminated("a", "Succeeded");
  story.jobFinished("Complete");
  return story;
}

function queue(): SegmentQueue & { readonly sent: OutgoingSegment[] } {
  const sent: OutgoingSegment[] = [];
  return {
    sent,
    send: async (segments) => {
      sent.push(...segments);
      return segments.map(() => ({ outcome: "accepted" }) as const);
    },
  };
}

/** What ingest makes of the messages, sent by a principal that is registered for the cluster. */
async function ingested(messages: readonly OutgoingSegment[], now: number) {
  const meta = new MemoryMetaStore();
  const principals = MemoryRegistrations.ofSenders({ AROAEAST000000000001: cluster }).cached("senders");
  const ports = {
    log: new MemoryLog(),
    meta,
    days: new LogDayRegistry(meta),
    senders: new SenderRegistry({ principals, meta, open: false, now: () => now }),
  };
  const queued = messages.map(({ bytes }, n) => ({ id: `${n}`, bytes, senderId: "AROAEAST000000000001:laptop" }));
  const outcomes = await ingestMessages(ports, queued, now);
  return outcomes.map((outcome) => ("ingested" in outcome ? outcome.ingested.outcome : "failed"));
}

describe("a recording that is sent through a queue", () => {
  it.each([
    ["of today", 0],
    ["of a week ago", 7],
    ["of a year ago, which an exporter could not send", 365],
  ])("%s is appended by ingest as of a registered sender, once", async (_, days) => {
    const story = recording();
    const now = story.now + days * DAY;
    const destination = queue();
    const imported = await sendFacts(destination, [story.facts], { cluster, now });
    expect(imported).toMatchObject({ facts: story.facts.length, appended: destination.sent.length, refused: [] });
    await sendFacts(destination, [story.facts], { cluster, now: now + 1 });
    const outcomes = await ingested(destination.sent, now);
    expect(outcomes).toEqual(["appended", "duplicate"]);
  });

  it("keeps the instant of its facts if ingest accepts it", async () => {
    const story = recording();
    const destination = queue();
    await sendFacts(destination, [story.facts], { cluster, now: story.now + DAY });
    const [sent] = destination.sent;
    const decoded = sent && decodeSegment(sent.bytes);
    expect(decoded).toMatchObject({ outcome: "decoded", segment: { sealedAt: story.facts.at(-1)?.at } });
  });

  it("has the same names when it is sent by another release: the content, and sequence 0", async () => {
    const { facts, now } = recording();
    const destination = queue();
    await sendFacts(destination, [facts], { cluster, now });
    const [sent] = destination.sent;
    const decoded = sent && decodeSegment(sent.bytes);
    if (decoded?.outcome !== "decoded") throw new Error("No segment was sent.");
    const { session, sequence, facts: sentFacts } = decoded.segment;
    expect({ session, sequence }).toEqual({ session: contentSession(sentFacts), sequence: 0 });
  });

  it("does not conflict with another one that begins with the same facts", async () => {
    const { facts, now } = recording();
    const destination = queue();
    await sendFacts(destination, [facts.slice(0, 2)], { cluster, now: now + 100 * DAY });
    await sendFacts(destination, [facts], { cluster, now: now + 100 * DAY });
    expect(await ingested(destination.sent, now + 100 * DAY)).toEqual(["appended", "appended"]);
  });

  it("reports why the queue did not accept it", async () => {
    const refusing: SegmentQueue = {
      send: async (segments) => segments.map(() => ({ outcome: "unreachable", reason: "Access denied." }) as const),
    };
    const { facts, now } = recording();
    expect(await sendFacts(refusing, [facts], { cluster, now })).toMatchObject({
      appended: 0,
      refused: ["Access denied."],
    });
  });
});

describe("the instant at which old facts count as sealed", () => {
  const now = Date.UTC(2026, 10, 21, 12, 30);

  it.each([
    ["their own for 14 days", now - 14 * DAY, now - 14 * DAY],
    ["the beginning of this UTC day after that", now - 14 * DAY - 1, Date.UTC(2026, 10, 21)],
    ["their own if they are of now", now, now],
  ])("is %s", (_, at, sealedAt) => {
    expect(acceptedSealedAt(at, now)).toBe(sealedAt);
  });
});
