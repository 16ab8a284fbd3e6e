import { BUCKET_DAYS } from "../ports/deployment/retention.ts";
import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { type KeyedRecord, writeRecord } from "../ports/records/record-codec.ts";
import { type SetAside, setAsideRecord } from "../ports/records/set-aside-record.ts";
import type { RedriveOutcome, RedrivenMessage } from "./redrive-request.ts";

/** Ingests messages with their original senders. */
export type IngestAgain = (messages: readonly RedrivenMessage[]) => Promise<readonly RedriveOutcome[]>;

/** The number of messages by outcome. */
export type Redriven = Readonly<Record<RedriveOutcome["outcome"], number>> & {
  /**
   * The message is too large for a record and was not stored elsewhere, or has expired there: only its size and reason
   * are known.
   */
  readonly notKept: number;
  /** Why messages were set aside or failed, with the number of messages for each reason. */
  readonly reasons: Readonly<Record<string, number>>;
};

/** A synchronous invocation accepts 6 MB of JSON (Lambda quotas). */
const MAX_BYTES = 5_000_000;

/**
 * Ingests messages that were set aside. Their cause may be gone: a principal was registered, a clock was set, or a
 * release was installed. Messages that are in the log afterwards are settled; the others stay.
 */
export async function redriveSetAside(meta: MetaStore, ingestAgain: IngestAgain, now: Instant): Promise<Redriven> {
  const tally = new Tally();
  let after: string | undefined;
  do {
    const page = await meta.list("setAside", { prefix: "", limit: PAGE, ...(after !== undefined && { after }) });
    const records = page.records.map((record) => ({ ...record, value: setAsideRecord.decode(record) }));
    await redrivePage({ meta, ingestAgain, now, tally }, records);
    after = page.next;
  } while (after !== undefined);
  return tally.redriven;
}

/** A record has up to 300 KB. */
const PAGE = 10;

type SetAsideMessage = KeyedRecord<SetAside>;

interface Redriving {
  readonly meta: MetaStore;
  readonly ingestAgain: IngestAgain;
  readonly now: Instant;
  readonly tally: Tally;
}

async function redrivePage({ meta, ingestAgain, now, tally }: Redriving, records: readonly SetAsideMessage[]) {
  const waiting = records.filter(({ value }) => value.settledAt === undefined);
  const messages = waiting.flatMap((record) => messageOf(record, now) ?? []);
  tally.addNotKept(waiting.length - messages.length);
  for (const batch of inBatches(messages)) {
    const outcomes = await ingestAgain(batch);
    tally.add(outcomes);
    const logged = new Set(outcomes.filter(isLogged).map(({ messageId }) => messageId));
    for (const record of waiting) if (logged.has(record.key)) await settle(meta, record, now);
  }
}

/** Returns `undefined` if the message itself was not stored or has expired. The record's key is the message's id. */
function messageOf({ key: messageId, value }: SetAsideMessage, now: Instant): RedrivenMessage | undefined {
  const { message: body, keptAs, senderId, setAsideAt } = value;
  const from = senderId === undefined ? {} : { senderId };
  if (body !== undefined) return { messageId, body, ...from };
  if (keptAs === undefined || now - setAsideAt > LARGE_MESSAGE_MS) return undefined;
  return { messageId, keptAs, ...from };
}

const LARGE_MESSAGE_MS = BUCKET_DAYS * 24 * 60 * 60 * 1000;

function isLogged({ outcome }: RedriveOutcome): boolean {
  return outcome === "appended" || outcome === "duplicate";
}

/** A conflict means that a concurrent redrive has settled it. */
async function settle(meta: MetaStore, { key, value, version }: SetAsideMessage, now: Instant): Promise<void> {
  const { message: _, keptAs: _name, ...kept } = value;
  await writeRecord(meta, setAsideRecord, { key, value: { ...kept, settledAt: now }, expected: version });
}

function inBatches<Message extends RedrivenMessage>(messages: readonly Message[]): readonly (readonly Message[])[] {
  const batches: Message[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message));
    if (bytes + size > MAX_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(message);
    bytes += size;
  }
  return batches;
}

class Tally {
  readonly #counts = { appended: 0, duplicate: 0, conflict: 0, setAside: 0, failed: 0, notKept: 0 };
  readonly #reasons = new Map<string, number>();

  add(outcomes: readonly RedriveOutcome[]): void {
    for (const outcome of outcomes) {
      this.#counts[outcome.outcome] += 1;
      if ("reason" in outcome) this.#reasons.set(outcome.reason, (this.#reasons.get(outcome.reason) ?? 0) + 1);
    }
  }

  addNotKept(count: number): void {
    this.#counts.notKept += count;
  }

  get redriven(): Redriven {
    return { ...this.#counts, reasons: Object.fromEntries(this.#reasons) };
  }
}
