import type { Instant } from "../../job/model/instant.ts";
import type { Delivery, DeliveryResult, NewDelivery, NoticeJournal, NoticeRecord } from "../../ports/notices.ts";
import type { DeliveryTally, SubjectNotices, WaitingDelivery } from "../../ports/records/notices/notice-record.ts";

/** The state of a receiver: a message is due, a message is due later, or none waits. */
export type NextDelivery =
  | { readonly outcome: "due"; readonly delivery: Delivery }
  | { readonly outcome: "later"; readonly at: Instant }
  | { readonly outcome: "none" };

const NOTHING: SubjectNotices = { waiting: [], dead: [], tallies: {} };
const NO_TALLY: DeliveryTally = { delivered: 0, dead: 0, suppressed: 0 };

/**
 * The most waiting messages about one subject. A record has at most 300 KB, and a message with three links to logs up
 * to 12 KB. Beyond it, the oldest message is dropped, because later ones say more.
 */
const MOST_WAITING = 20;
/** The most dropped messages that are listed by name. The tally counts all of them. */
const MOST_DEAD = 20;

/** The notices about one subject in memory. Its owner writes `content` back if it has changed. */
export class SubjectOutbox implements NoticeJournal {
  readonly #id: string;
  readonly #before: SubjectNotices;
  #content: SubjectNotices;

  constructor(id: string, content: SubjectNotices | undefined) {
    this.#id = id;
    this.#before = this.#content = content ?? NOTHING;
  }

  get content(): SubjectNotices {
    return this.#content;
  }

  get isChanged(): boolean {
    return this.#content !== this.#before;
  }

  /** Receivers with messages that wait, and when each wants its oldest. */
  get wanted(): ReadonlyMap<string, Instant> {
    const wanted = new Map<string, Instant>();
    for (const one of this.#content.waiting) {
      if (!wanted.has(one.receiver)) wanted.set(one.receiver, readyAt(one));
    }
    return wanted;
  }

  async read(): Promise<NoticeRecord | undefined> {
    return this.#content.notice;
  }

  async write(_: string, notice: NoticeRecord): Promise<void> {
    this.#content = { ...this.#content, notice };
  }

  async add(deliveries: readonly NewDelivery[], now: Instant): Promise<void> {
    for (const { key, receiver, nextAt, group, value } of deliveries) {
      if (this.#find(key) !== undefined) continue;
      const waiting = [...this.#content.waiting, { key, receiver, nextAt, group, value, attempts: 0 }];
      this.#content = { ...this.#content, waiting };
    }
    for (const { key } of this.#content.waiting.slice(0, -MOST_WAITING)) {
      this.settle(key, { outcome: "dead", problem: `more than ${MOST_WAITING} later messages waited` }, now);
    }
  }

  async replaceHeld(key: string, value: string, now: Instant): Promise<boolean> {
    if (!this.#isHeld(key, now)) return false;
    this.#change(key, (held) => ({ ...held, value }));
    return true;
  }

  async cancelHeld(key: string, now: Instant): Promise<boolean> {
    if (!this.#isHeld(key, now)) return false;
    this.#remove(key);
    return true;
  }

  async suppress({ receiver }: NewDelivery): Promise<void> {
    this.#count(receiver, (tally) => ({ ...tally, suppressed: tally.suppressed + 1 }));
  }

  /** The oldest message for a receiver: later ones about the same subject wait for it. */
  next(receiver: string, now: Instant): NextDelivery {
    const oldest = this.#content.waiting.find((one) => one.receiver === receiver);
    if (oldest === undefined) return { outcome: "none" };
    const at = readyAt(oldest);
    if (at > now) return { outcome: "later", at };
    return { outcome: "due", delivery: { ...oldest, subject: this.#id } };
  }

  /** Reserves a message for the caller. Returns it, with this attempt counted. */
  claim(key: string, until: Instant, now: Instant): Delivery | undefined {
    this.#change(key, (one) => ({
      ...one,
      attempts: one.attempts + 1,
      firstTriedAt: one.firstTriedAt ?? now,
      claimedUntil: until,
    }));
    const claimed = this.#find(key);
    return claimed && { ...claimed, subject: this.#id };
  }

  /** Gives a claimed message back that was not sent. */
  release(key: string, nextAt: Instant): void {
    this.#change(key, (claimed) => {
      const { firstTriedAt, ...one } = unclaimed(claimed);
      const attempts = one.attempts - 1;
      return { ...one, attempts, nextAt, ...(attempts > 0 && firstTriedAt !== undefined && { firstTriedAt }) };
    });
  }

  /** Records the result of an attempt. A message that no longer waits is already settled. */
  settle(key: string, result: DeliveryResult, now: Instant): void {
    const settled = this.#find(key);
    if (settled === undefined) return;
    const { receiver } = settled;
    switch (result.outcome) {
      case "delivered":
        this.#remove(key);
        return this.#count(receiver, (tally) => ({ ...tally, delivered: tally.delivered + 1, lastDeliveredAt: now }));
      case "failed":
        return this.#change(key, (one) => ({
          ...unclaimed(one),
          nextAt: result.nextAt,
          problem: result.problem,
        }));
      case "dead": {
        this.#remove(key);
        const dead = [...this.#content.dead, { key, receiver, at: now, problem: result.problem }].slice(-MOST_DEAD);
        this.#content = { ...this.#content, dead };
        return this.#count(receiver, (tally) => ({ ...tally, dead: tally.dead + 1 }));
      }
    }
  }

  #find(key: string): WaitingDelivery | undefined {
    return this.#content.waiting.find((one) => one.key === key);
  }

  #isHeld(key: string, now: Instant): boolean {
    const found = this.#find(key);
    return found?.attempts === 0 && found.nextAt > now;
  }

  #change(key: string, change: (one: WaitingDelivery) => WaitingDelivery): void {
    const waiting = this.#content.waiting.map((one) => (one.key === key ? change(one) : one));
    this.#content = { ...this.#content, waiting };
  }

  #remove(key: string): void {
    this.#content = { ...this.#content, waiting: this.#content.waiting.filter((one) => one.key !== key) };
  }

  #count(receiver: string, change: (tally: DeliveryTally) => DeliveryTally): void {
    const tally = change(this.#content.tallies[receiver] ?? NO_TALLY);
    this.#content = { ...this.#content, tallies: { ...this.#content.tallies, [receiver]: tally } };
  }
}

function unclaimed({ key, receiver, nextAt, group, value, attempts, ...more }: WaitingDelivery): WaitingDelivery {
  const { firstTriedAt, problem } = more;
  const tried = { ...(firstTriedAt !== undefined && { firstTriedAt }), ...(problem !== undefined && { problem }) };
  return { key, receiver, nextAt, group, value, attempts, ...tried };
}

function readyAt({ nextAt, claimedUntil = 0 }: WaitingDelivery): Instant {
  return Math.max(nextAt, claimedUntil);
}
