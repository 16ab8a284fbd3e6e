import { describe, expect, it } from "vitest";
import { ingestMessages } from "../../src/log/ingest-messages.ts";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import { SUSPECT_RECEIVES } from "../../src/log/retry-later.ts";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { Story } from "../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function messageOf(sequence: number) {
  const story = new Story(`job-${sequence}`);
  story.jobCreated();
  const name = { cluster: clusterNamed("east"), sealedAt: NOON, session: "0123456789abcdef", sequence };
  return { id: `${sequence}`, bytes: sealSegment({ ...name, facts: story.facts }).bytes };
}

function portsWith(log: MemoryLog) {
  const meta = new MemoryMetaStore();
  const principals = new MemoryRegistrations().cached("senders");
  const senders = new SenderRegistry({ principals, meta, open: true, now: () => NOON });
  return { log, meta, senders, days: new LogDayRegistry(meta) };
}

/** A log that fails for one sequence, and counts concurrent appends. */
class SlowLog extends MemoryLog {
  most = 0;
  #running = 0;

  override async append(item: LogItem) {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise(setImmediate);
    this.#running -= 1;
    if (item.key.sk.endsWith("#0000000003")) throw new Error("The table is down.");
    return super.append(item);
  }
}

describe("messages", () => {
  it("have their outcomes in the order of the messages, at most ten at a time", async () => {
    const log = new SlowLog();
    const messages = Array.from({ length: 25 }, (_, number) => messageOf(number + 10));
    const outcomes = await ingestMessages(portsWith(log), messages, NOON);
    expect(outcomes.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(log.most).toBe(10);
  });

  it("fail separately: an error of the log or an invalid message does not affect the others", async () => {
    const invalid = { id: "x", bytes: Buffer.from("hello") };
    const outcomes = await ingestMessages(portsWith(new SlowLog()), [messageOf(3), invalid, messageOf(4)], NOON);
    expect(outcomes).toMatchObject([
      { id: "3", failed: new Error("The table is down.") },
      { id: "x", ingested: { outcome: "setAside" } },
      { id: "4", ingested: { outcome: "appended" } },
    ]);
  });

  it("that begin like JSON are set aside if no reader for them is configured", async () => {
    const [outcome] = await ingestMessages(portsWith(new MemoryLog()), [{ id: "j", bytes: Buffer.from("{}") }], NOON);
    expect(outcome).toMatchObject({ ingested: { outcome: "setAside" } });
  });
});

/** Ports that pack segments which arrive together. */
function packingPorts() {
  const packed = new MemoryPackedLog();
  const ports = portsWith(new MemoryLog());
  const packer = { packs: packed.packs, hours: new LogHourRegistry(ports.meta), shards: 1, now: () => NOON };
  return { ports: { ...ports, packer }, packed };
}

describe("messages that are packed", () => {
  const invalid = { id: "x", bytes: Buffer.from("hello") };

  it("have their outcomes in the order of the messages; one that is invalid is in no pack", async () => {
    const { ports, packed } = packingPorts();
    const outcomes = await ingestMessages(ports, [messageOf(1), invalid, messageOf(2), messageOf(1)], NOON);
    expect(outcomes).toMatchObject([
      { id: "1", ingested: { outcome: "appended" } },
      { id: "x", ingested: { outcome: "setAside" } },
      { id: "2", ingested: { outcome: "appended" } },
      { id: "1", ingested: { outcome: "duplicate" } },
    ]);
    expect(packed.allPacks.map(({ items }) => items.length)).toEqual([2]);
  });

  it("fail with their pack, and one that was received often has a pack of its own", async () => {
    const { ports, packed } = packingPorts();
    packed.takes = 1;
    const suspect = { ...messageOf(2), receiveCount: SUSPECT_RECEIVES };
    const almost = { ...messageOf(3), receiveCount: SUSPECT_RECEIVES - 1 };
    const outcomes = await ingestMessages(ports, [messageOf(1), suspect, almost, invalid], NOON);
    expect(outcomes).toMatchObject([
      { id: "1", ingested: { outcome: "appended" } },
      { id: "2", failed: expect.any(Error) as unknown },
      { id: "3", ingested: { outcome: "appended" } },
      { id: "x", ingested: { outcome: "setAside" } },
    ]);
  });
});
