import { canonical } from "../job/model/canonical.ts";
import { BUCKET_DAYS } from "../deployment/retention.ts";
import type { Instant } from "../job/model/instant.ts";
import type { MetaRecord, MetaStore } from "../ports/meta.ts";
import type { RedriveOutcome, RedrivenMessage, WholeMessage } from "./redrive-request.ts";
import type { SetAside } from "./set-aside.ts";

/** The queue of messages that ingest failed to take again and again. */
export interface DeadLetters {
  receive(options: {
    readonly waitSeconds: number;
    readonly visibilitySeconds: number;
  }): Promise<readonly DeadLetter[]>;
  remove(messages: readonly DeadLetter[]): Promise<void>;
}
export interface DeadLetter extends WholeMessage {
  readonly receipt: string;
}

/** Ingests messages as if they came from whom they first came from, and says of each what became of it. */
export type IngestAgain = (messages: readonly RedrivenMessage[]) => Promise<readonly RedriveOutcome[]>;

/** What became of messages that were ingested again. */
export type Redriven = Readonly<Record<RedriveOutcome["outcome"], number>> & {
  /** Larger than a record holds, and kept nowhere else or no longer: only their size and the reason are known. */
  readonly notKept: number;
  /** Why messages were set aside or failed, and how many for each reason. */
  readonly reasons: Readonly<Record<string, number>>;
};

/** At least a second, so that SQS asks all of its servers: none is then none (SQS, "long polling"). */
const WAIT_SECONDS = 2;
/** Nobody else redrives them meanwhile; longer than a call of the function takes. */
const VISIBILITY_SECONDS = 180;
/** A synchronous call takes 6 MB of JSON (Lambda quotas). */
const MAX_BYTES = 5_000_000;

/** Ingests every message of the queue and deletes those that are done with. One that fails stays, and comes again when its time is over. */
export async function redriveDeadLetters(deadLetters: DeadLetters, ingestAgain: IngestAgain): Promise<Redriven> {
  const tally = new Tally();
  const seen = new Set<string>();
  for (;;) {
    const received = await deadLetters.receive({ waitSeconds: WAIT_SECONDS, visibilitySeconds: VISIBILITY_SECONDS });
    const fresh = received.filter(({ messageId }) => !seen.has(messageId));
    if (fresh.length === 0) return tally.redriven;
    for (const { messageId } of fresh) seen.add(messageId);
    for (const batch of inBatches(fresh)) {
      const done = tally.add(await ingestAgain(batch.map(withoutReceipt)));
      const finished = batch.filter(({ messageId }) => done.has(messageId));
      if (finished.length > 0) await deadLetters.remove(finished);
    }
  }
}

function withoutReceipt({ messageId, body, senderId }: DeadLetter): WholeMessage {
  return { messageId, body, ...(senderId !== undefined && { senderId }) };
}

/**
 * Ingests again what was set aside: a principal may have been registered since, a clock been set, a release installed. What is in the log then is settled;
 * all else stays where it is.
 */
export async function redriveSetAside(meta: MetaStore, ingestAgain: IngestAgain, now: Instant): Promise<Redriven> {
  const tally = new Tally();
  let after: string | undefined;
  do {
    const page = await meta.list("setAside", { prefix: "", limit: PAGE, ...(after !== undefined && { after }) });
    await redrivePage({ meta, ingestAgain, now, tally }, page.records);
    after = page.next;
  } while (after !== undefined);
  return tally.redriven;
}

/** A record holds up to 300 KB. */
const PAGE = 10;

interface Redriving {
  readonly meta: MetaStore;
  readonly ingestAgain: IngestAgain;
  readonly now: Instant;
  readonly tally: Tally;
}

async function redrivePage({ meta, ingestAgain, now, tally }: Redriving, records: readonly MetaRecord[]) {
  const waiting = records.filter(({ value }) => (JSON.parse(value) as SetAside).settledAt === undefined);
  const messages = waiting.flatMap((record) => errorMessage(record, now));
  tally.addNotKept(waiting.length - messages.length);
  for (const batch of inBatches(messages)) {
    const outcomes = await ingestAgain(batch);
    tally.add(outcomes);
    const logged = new Set(outcomes.filter(isLogged).map(({ messageId }) => messageId));
    for (const record of waiting) if (logged.has(record.key)) await settle(meta, record, now);
  }
}

/** The record's key names the message. */
function errorMessage({ key: messageId, value }: MetaRecord, now: Instant): readonly RedrivenMessage[] {
  const { message: body, keptAs, senderId, setAsideAt } = JSON.parse(value) as SetAside;
  const from = senderId === undefined ? {} : { senderId };
  if (body !== undefined) return [{ messageId, body, ...from }];
  if (keptAs === undefined || now - setAsideAt > LARGE_KEPT_MS) return [];
  return [{ messageId, keptAs, ...from }];
}

const LARGE_KEPT_MS = BUCKET_DAYS * 24 * 60 * 60 * 1000;

function isLogged({ outcome }: RedriveOutcome): boolean {
  return outcome === "appended" || outcome === "duplicate";
}

/** Where another redrive was first, it has settled it. */
async function settle(meta: MetaStore, { key, value, version }: MetaRecord, now: Instant): Promise<void> {
  const { message: _, keptAs: _name, ...record } = JSON.parse(value) as SetAside;
  await meta.write("setAside", key, canonical({ ...record, settledAt: now }), version);
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

  /** Counts what became of messages; the ids of those that are done with. */
  add(outcomes: readonly RedriveOutcome[]): ReadonlySet<string> {
    for (const outcome of outcomes) {
      this.#counts[outcome.outcome] += 1;
      if ("reason" in outcome) this.#reasons.set(outcome.reason, (this.#reasons.get(outcome.reason) ?? 0) + 1);
    }
    return new Set(outcomes.filter(({ outcome }) => outcome !== "failed").map(({ messageId }) => messageId));
  }

  addNotKept(count: number): void {
    this.#counts.notKept += count;
  }

  get redriven(): Redriven {
    return { ...this.#counts, reasons: Object.fromEntries(this.#reasons) };
  }
}
