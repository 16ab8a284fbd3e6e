import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { SQSBatchResponse } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { onMessages } from "../../../functions/events/ingest-event.ts";
import { awsError } from "../../../src/adapters/aws/aws-error.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import type { SetAside } from "../../../src/ports/records/set-aside-record.ts";
import { SenderRegistry } from "../../../src/log/sender-registry.ts";
import type { LargeMessages } from "../../../src/ports/large-messages.ts";
import { MAX_RECEIVES } from "../../../src/ports/deployment/limits.ts";
import type { AppendOutcome, LogItem } from "../../../src/ports/log.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { encodeMessageBody } from "../../../src/adapters/sqs/message-body.ts";
import type { HiddenMessage, MessageQueue } from "../../../src/adapters/sqs/message-queue.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
import { VirtualQueue } from "../../support/aws/virtual-queue.ts";
import { Story } from "../../support/story/story.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const cluster = clusterNamed("east");

/** The function over stores in memory; `log` replaces the log, for example by one that fails. */
interface IngestFunction {
  readonly open?: boolean;
  readonly log?: MemoryLog;
  readonly meta?: MemoryMetaStore;
  readonly hide?: MessageQueue["hide"];
}

function ingest({ open = true, log = new MemoryLog(), meta = new MemoryMetaStore(), hide }: IngestFunction = {}) {
  const hidden: HiddenMessage[] = [];
  const told = new FunctionJournal();
  const kept = new Map<string, Uint8Array>();
  const largeMessages: LargeMessages = {
    keep: async (name, bytes) => void kept.set(name, bytes),
    read: async (name) => {
      if (name === "forbidden") throw new Error("Bucket aside : access denied.");
      return kept.get(name);
    },
  };
  const registrations = new MemoryRegistrations();
  const senders = new SenderRegistry({ principals: registrations.cached("senders"), meta, open, now: () => NOON });
  const dependencies = {
    count: told.count,
    logger: told.logger,
    log,
    meta,
    days: new LogDayRegistry(meta),
    senders,
    largeMessages,
    queue: {
      url: "https://sqs.eu-central-1.amazonaws.com/123456789012/segments",
      hide: hide ?? (async (messages: readonly HiddenMessage[]) => void hidden.push(...messages)),
    },
    clock: { now: () => NOON },
  };
  return {
    told,
    log,
    meta,
    registrations,
    senders,
    kept,
    hidden,
    send: (event: Parameters<typeof onMessages>[1]) => onMessages(dependencies, event),
  };
}

interface BodyOptions {
  readonly sealedAt?: number;
  readonly name?: typeof cluster;
  /** @default the sum of the letters: names of the same letters have the same sequence, and so the same key */
  readonly sequence?: number;
}

function bodyOf(jobName: string, options: BodyOptions = {}): string {
  const { sealedAt = NOON, name = cluster } = options;
  const story = new Story(jobName);
  story.jobCreated();
  const { sequence = Buffer.from(jobName).reduce((sum, letter) => sum + letter, 0) } = options;
  return encodeMessageBody(
    sealSegment({ cluster: name, sealedAt, session: "0123456789abcdef", sequence, facts: story.facts }).bytes,
  );
}

async function setAsides(meta: MemoryMetaStore): Promise<readonly SetAside[]> {
  const { records } = await meta.list("setAside", { prefix: "", limit: 100 });
  return records.map(({ value }) => JSON.parse(value) as SetAside);
}

const ALL_DONE = { batchItemFailures: [] };

describe("messages from the queue", () => {
  it("are appended to the log, and counted", async () => {
    const { send, told, log } = ingest();
    const event = queueEvent([
      { messageId: "1", body: bodyOf("render") },
      { messageId: "2", body: bodyOf("bake") },
    ]);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 2, Facts: 4 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(2);
  });

  it("are duplicates if they are delivered again, because the function was killed before it deleted them", async () => {
    const { send, told, log } = ingest();
    const event = queueEvent([{ messageId: "1", body: bodyOf("render") }]);
    await send(event);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, DuplicateSegments: 1 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
  });

  it("are one log item if 1,000 copies arrive together", async () => {
    const { send, told, log } = ingest();
    // Sealing is slower than ingestion: the segment is sealed once.
    const body = bodyOf("render");
    const messages = Array.from({ length: 1_000 }, (_, number) => ({ messageId: `${number}`, body }));
    expect(await send(queueEvent(messages))).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, DuplicateSegments: 999 });
    expect((await log.readDay({ cluster, day: "20261121" }, { limit: 10 })).items).toHaveLength(1);
  });

  it.each([
    ["is not a segment", encodeMessageBody(Buffer.from("hello"))],
    ["is not base64", '{"hello":"world"}'],
    ["is empty", ""],
    ["is truncated", bodyOf("render").slice(0, 80)],
    ["was compressed by another program", encodeMessageBody(deflateRawSync("[1,[],[]]"))],
    [
      "is of a later release",
      encodeMessageBody(Uint8Array.of(200, ...Buffer.from(bodyOf("render"), "base64").subarray(1))),
    ],
    ["decompresses to gigabytes", encodeMessageBody(bomb())],
    ["was sealed 20 days ago", bodyOf("render", { sealedAt: NOON - 20 * DAY })],
    ["was sealed tomorrow", bodyOf("render", { sealedAt: NOON + DAY })],
  ])("are appended beside one that %s, which is set aside with its reason", async (_, body) => {
    const { send, told, meta } = ingest();
    const event = queueEvent([
      { messageId: "1", body: bodyOf("bake") },
      { messageId: "2", body },
      { messageId: "3", body: bodyOf("toast") },
    ]);
    expect(await send(event)).toEqual(ALL_DONE);
    expect(told.counts).toEqual({ Segments: 2, Facts: 4, SetAsideSegments: 1 });
    const [aside, ...more] = await setAsides(meta);
    expect(more).toEqual([]);
    expect(aside?.reason).toMatch(/^[A-Z0-9].*\.$/);
    expect(told.lines).toEqual([expect.stringContaining("A message was set aside.")]);
  });

  it("are kept in the bucket, unchanged, if they are larger than a record", async () => {
    const { send, meta, kept } = ingest();
    const bytes = Buffer.alloc(300_000, 7);
    await send(queueEvent([{ messageId: "1", body: encodeMessageBody(bytes) }]));
    const [aside] = await setAsides(meta);
    expect(aside?.message).toBeUndefined();
    expect(Buffer.from(kept.get(aside?.keptAs ?? "") ?? []).equals(bytes)).toBe(true);
  });

  it("of an unregistered principal are set aside, and appended after its registration", async () => {
    const { send, told, registrations, senders } = ingest({ open: false });
    const event = queueEvent([{ messageId: "1", body: bodyOf("render"), senderId: "AROASTRANGER:pod" }]);
    await send(event);
    expect(told.counts).toEqual({ SetAsideSegments: 1 });
    registrations.put("senders", "AROASTRANGER", { cluster: "east" });
    senders.forget();
    await send(event);
    expect(told.counts).toMatchObject({ Segments: 1 });
  });

  it("of a principal that is registered for another cluster are set aside", async () => {
    const { send, told, registrations } = ingest({ open: false });
    registrations.put("senders", "AROAWEST", { cluster: "west" });
    await send(queueEvent([{ messageId: "1", body: bodyOf("render"), senderId: "AROAWEST:pod" }]));
    expect(told.counts).toEqual({ SetAsideSegments: 1 });
  });

  it("are conflicts if another segment has their key", async () => {
    const { send, told } = ingest();
    await send(queueEvent([{ messageId: "1", body: bodyOf("ab") }]));
    await send(queueEvent([{ messageId: "2", body: bodyOf("ba") }]));
    expect(told.counts).toMatchObject({ Segments: 1, ConflictingSegments: 1 });
    expect(told.lines[0]).toMatch(/^ERROR A segment has the key of another segment/);
  });

  it("are delivered again only if the log failed for them", async () => {
    const { send, told } = ingest({ log: new FailingLog("bake") });
    const event = queueEvent([
      { messageId: "1", body: bodyOf("render") },
      { messageId: "2", body: bodyOf("bake") },
      { messageId: "3", body: "nonsense" },
    ]);
    expect(await send(event)).toEqual({ batchItemFailures: [{ itemIdentifier: "2" }] });
    expect(told.counts).toEqual({ Segments: 1, Facts: 2, SetAsideSegments: 1 });
  });
});

function again(messageId: string, name: string, receiveCount: number) {
  return { messageId, body: bodyOf(name), receiveCount };
}

describe("messages that failed before", () => {
  it("wait longer after each receive during an outage, and are never given up", async () => {
    const { send, hidden, told } = ingest({ log: new UnavailableLog() });
    const event = queueEvent([again("1", "render", 1), again("2", "bake", 3), again("3", "toast", 999)]);
    expect((await send(event)) as unknown).toEqual({
      batchItemFailures: [{ itemIdentifier: "1" }, { itemIdentifier: "2" }, { itemIdentifier: "3" }],
    });
    const seconds = new Map(hidden.map((message) => [message.receipt, message.seconds]));
    expect(seconds.get("receipt-of-1")).toBeLessThanOrEqual(5);
    expect(seconds.get("receipt-of-2")).toBeGreaterThanOrEqual(10);
    expect(seconds.get("receipt-of-3")).toBeGreaterThanOrEqual(150);
    expect(told.counts["SetAsideSegments"]).toBeUndefined();
  });

  it("are set aside with the reason at the fifth receive if no outage explains it", async () => {
    const { send, meta, told } = ingest({ log: new FailingLog("bake") });
    expect(await send(queueEvent([again("1", "bake", 4)]))).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
    expect(await send(queueEvent([again("1", "bake", 5), again("2", "render", 1)]))).toEqual(ALL_DONE);
    expect((await setAsides(meta)).map(({ reason }) => reason)).toEqual([
      "The message failed 5 times: The table is down.",
    ]);
    expect(told.counts).toMatchObject({ SetAsideSegments: 1, Segments: 1 });
  });

  it("are taken after the others, which are in the log even if one of them kills the function", async () => {
    const log = new OrderedLog();
    const { send } = ingest({ log });
    await send(queueEvent([again("1", "bake", 5), again("2", "render", 4), again("3", "toast", 1)]));
    const bodies = [bodyOf("render"), bodyOf("toast"), bodyOf("bake")];
    expect(log.order.slice(0, 2).toSorted()).toEqual(bodies.slice(0, 2).toSorted());
    expect(log.order[2]).toBe(bodies[2]);
  });

  it("of the dead-letter queue return at its visibility timeout", async () => {
    const { send, hidden } = ingest({ log: new UnavailableLog() });
    const { Records } = queueEvent([again("1", "render", 1)]);
    const dead = Records.map((record) => ({ ...record, eventSourceARN: `${record.eventSourceARN}-dead` }));
    expect(await send({ Records: dead })).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
    expect(hidden).toEqual([]);
  });

  it("return at the queue's visibility timeout if SQS cannot hide them", async () => {
    const { send, told } = ingest({ log: new UnavailableLog(), hide: () => Promise.reject(new Error("SQS is down.")) });
    expect(await send(queueEvent([again("1", "render", 1)]))).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
    expect(told.lines.at(-1)).toMatch(/^WARN Messages could not be hidden/);
  });
});

/** Three hours in which the tables answer nothing, with the real function, back-off and receive limit. */
describe("an outage of three hours", () => {
  it("leaves nothing in the dead-letter queue, loses nothing, and drains at full concurrency", async () => {
    const clock = { isDown: false };
    const log = new OutageLog(clock);
    const meta = new OutageMeta(clock);
    const function_ = ingest({ log, meta, hide: (messages) => queue.hide(messages) });
    const queue = new VirtualQueue({
      visibilitySeconds: 60,
      maxReceives: MAX_RECEIVES,
      lanes: 1,
      // The SDK retries for some seconds before a batch fails.
      batchSeconds: () => (clock.isDown ? 10 : 5),
      handle: async (event) => (await function_.send(event)) as SQSBatchResponse,
    });
    const hours = 3 * 3_600;
    clock.isDown = true;
    for (; queue.now < hours; await queue.tick()) {
      const { now } = queue;
      if (now % 300 === 0) queue.send(`${now}`, now % 3_000 === 0 ? "poison" : bodyOf("job", { sequence: now }));
    }
    clock.isDown = false;
    const sent = hours / 300;
    expect(queue.size).toBe(sent);
    while (queue.size > 0) await queue.tick();
    expect(queue.deadLetters).toEqual([]);
    const poison = Math.ceil(hours / 3_000);
    expect(function_.told.counts).toMatchObject({ Segments: sent - poison, SetAsideSegments: poison });
    // At two messages a second, after a wait of at most 300 s.
    expect(queue.now - hours).toBeLessThanOrEqual(sent / 2 + 300);
    expect(queue.mostReceives).toBeLessThan(MAX_RECEIVES / 10);
  });
});

describe("an unsupported event", () => {
  it.each([[{}], [{ Records: "x" }], [{ redrive: 1 }]])(
    "is rejected with the list of supported events: %j",
    async (event) => {
      await expect(ingest().send(event)).rejects.toThrow(/^Unsupported event\. Expected SQS messages, or /);
    },
  );
});

describe("messages from a redrive", () => {
  it("each have an outcome, in their order, and count for their original sender", async () => {
    const { send, registrations } = ingest({ open: false, log: new FailingLog("toast") });
    registrations.put("senders", "AROAEAST", { cluster: "east" });
    const redrive = ["render", "render", "toast"].map((name, index) => ({
      messageId: `${index}`,
      body: bodyOf(name),
      senderId: "AROAEAST:pod",
    }));
    const stranger = { messageId: "3", body: bodyOf("bake"), senderId: "AROASTRANGER:pod" };
    const { outcomes } = (await send({ redrive: [...redrive, stranger] })) as {
      outcomes: readonly { readonly messageId: string; readonly outcome: string; readonly reason?: string }[];
    };
    expect(outcomes.map(({ messageId }) => messageId)).toEqual(["0", "1", "2", "3"]);
    const [first, second, third, fourth] = outcomes.map(({ outcome }) => outcome);
    expect(new Set([first, second])).toEqual(new Set(["appended", "duplicate"]));
    expect([third, fourth]).toEqual(["failed", "setAside"]);
    expect(outcomes[2]?.reason).toBe("The table is down.");
    expect(outcomes[3]?.reason).toContain("AROASTRANGER is not registered");
  });
});

describe("a redriven message that is kept in the bucket", () => {
  it("is appended after its sender was registered", async () => {
    const { send, meta, kept, registrations } = ingest({ open: false });
    const senderId = "AROAEAST:pod";
    await send(queueEvent([{ messageId: "1", body: encodeMessageBody(largeSegment()), senderId }]));
    const [aside] = await setAsides(meta);
    expect(aside).toMatchObject({ keptAs: [...kept.keys()][0] });
    registrations.put("senders", "AROAEAST", { cluster: "east" });
    const again = { redrive: [{ messageId: "x", keptAs: aside?.keptAs ?? "", senderId }] };
    expect(await send(again)).toEqual({ outcomes: [{ messageId: "x", outcome: "appended" }] });
  });

  it("fails alone, with the reason, if the bucket cannot read it", async () => {
    const { send } = ingest();
    const redrive = [
      { messageId: "1", keptAs: "gone" },
      { messageId: "2", body: bodyOf("render") },
      { messageId: "3", keptAs: "forbidden" },
    ];
    expect(await send({ redrive })).toEqual({
      outcomes: [
        { messageId: "1", outcome: "failed", reason: "The bucket has no message gone. It may have expired." },
        { messageId: "2", outcome: "appended" },
        { messageId: "3", outcome: "failed", reason: "Bucket aside : access denied." },
      ],
    });
  });
});

/** A segment of more than 200 KB: its labels cannot be compressed. */
function largeSegment(): Uint8Array {
  const story = new Story("large");
  for (let n = 0; n < 60; n += 1) {
    const noise = createHash("shake256", { outputLength: 4_096 }).update(`${n}`).digest("base64");
    story.jobCreated({}, { labels: { noise } });
  }
  return sealSegment({ cluster, sealedAt: NOON, session: "0123456789abcdef", sequence: 1, facts: story.facts }).bytes;
}

/** A segment whose text is five megabytes of spaces. */
function bomb(): Uint8Array {
  return Buffer.concat([Buffer.of(2), Buffer.alloc(8), deflateRawSync(Buffer.alloc(5 * 1024 * 1024, " "))]);
}

function unavailable(): unknown {
  return awsError("Table log", Object.assign(new Error("down"), { name: "ServiceUnavailable" }));
}

/** A log whose table cannot be reached. */
class UnavailableLog extends MemoryLog {
  override append(): Promise<AppendOutcome> {
    return Promise.reject(unavailable());
  }
}

interface Switch {
  isDown: boolean;
}

class OutageLog extends MemoryLog {
  readonly #switch: Switch;

  constructor(down: Switch) {
    super();
    this.#switch = down;
  }

  override async append(item: LogItem) {
    if (this.#switch.isDown) throw unavailable();
    return super.append(item);
  }
}

class OutageMeta extends MemoryMetaStore {
  readonly #switch: Switch;

  constructor(down: Switch) {
    super();
    this.#switch = down;
  }

  override async write(...write: Parameters<MemoryMetaStore["write"]>) {
    if (this.#switch.isDown) throw unavailable();
    return super.write(...write);
  }
}

/** A log that remembers in which order segments arrived. */
class OrderedLog extends MemoryLog {
  readonly order: string[] = [];

  override async append(item: LogItem) {
    this.order.push(encodeMessageBody(item.bytes));
    return super.append(item);
  }
}

/** A log that fails for the segments of one Job. */
class FailingLog extends MemoryLog {
  readonly #poison: string;

  constructor(jobName: string) {
    super();
    this.#poison = Buffer.from(bodyOf(jobName), "base64").toString("hex");
  }

  override async append(item: LogItem) {
    if (Buffer.from(item.bytes).toString("hex") === this.#poison) throw new Error("The table is down.");
    return super.append(item);
  }
}
