import type { Instant } from "../../job/model/instant.ts";
import {
  CLOCK_TOLERANCE_MILLIS,
  type Delivery,
  type DeliveryResult,
  type NewDelivery,
  type NoticeRecord,
} from "../../ports/notices.ts";
import type { DeliveryTally, SubjectNotices, WaitingDelivery } from "../../ports/records/notices/notice-record.ts";

/** The state of a receiver: a message is due, a message is due later, or none waits. */
export type NextDelivery =
  | { readonly outcome: "due"; readonly delivery: Delivery }
  | { readonly outcome: "later"; readonly at: Instant }
  | { readonly outcome: "none" };

const NOTHING: SubjectNotices = { waiting: [], dead: [], tallies: {} };
const NO_TALLY: DeliveryTally = { delivered: 0, dead: 0, suppressed: 0 };

/** The most messages about one subject that wait for a receiver. The oldest is given up: later ones say more. */
const MOST_WAITING = 20;
/** The most bytes of the messages about one subject: a record has at most 300 KB. */
const MOST_BYTES = 240_000;
/** The most given-up messages that are named. The tally counts all of them. */
const MOST_DEAD = 20;

/** The notices about one subject in memory. Its owner writes `content` back if it has changed. */
export class SubjectOutbox {
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

  /** What rules have matched; `undefined` if none has. */
  get notice(): NoticeRecord | undefined {
    return this.#content.notice;
  }

  write(notice: NoticeRecord): void {
    this.#content = { ...this.#content, notice };
  }

  /** Adds deliveries. One whose key is known is not added again. */
  add(deliveries: readonly NewDelivery[], now: Instant): void {
    for (const { key, receiver, nextAt, group, value } of deliveries) {
      if (this.#find(key) !== undefined) continue;
      const waiting = [...this.#content.waiting, { key, receiver, nextAt, group, value, attempts: 0, notedAt: now }];
      this.#content = { ...this.#content, waiting };
    }
    this.#giveUpOldest(now);
  }

  /** Changes the text of a delivery that is held until later than `now` and was never tried. Returns whether it was. */
  replaceHeld(key: string, value: string, now: Instant): boolean {
    if (!this.#isHeld(key, now)) return false;
    this.#change(key, (held) => ({ ...held, value }));
    return true;
  }

  /** Removes a delivery that is held until later than `now` and was never tried. Returns whether it was. */
  cancelHeld(key: string, now: Instant): boolean {
    if (!this.#isHeld(key, now)) return false;
    this.#remove(key);
    return true;
  }

  /** Counts a message that a maintenance interval suppressed. */
  suppress({ receiver }: Pick<NewDelivery, "receiver">): void {
    this.#count(receiver, (tally) => ({ ...tally, suppressed: tally.suppressed + 1 }));
  }

  /** The oldest message for a receiver: later ones about the same subject wait for it. */
  next(receiver: string, now: Instant): NextDelivery {
    const oldest = this.#content.waiting.find((one) => one.receiver === receiver);
    if (oldest === undefined) return { outcome: "none" };
    const at = readyAt(oldest);
    if (at > now && !isOfClockAhead(oldest, now)) return { outcome: "later", at };
    return { outcome: "due", delivery: { ...oldest, subject: this.#id } };
  }

  /** Reserves a message for the caller. Returns it, with this attempt counted. */
  claim(key: string, until: Instant, now: Instant): Delivery | undefined {
    this.#change(key, (one) => ({
      ...one,
      attempts: one.attempts + 1,
      firstTriedAt: one.firstTriedAt ?? now,
      notedAt: now,
      claimedUntil: until,
    }));
    const claimed = this.#find(key);
    return claimed && { ...claimed, subject: this.#id };
  }

  /** Gives a claimed message back that was not sent. */
  release(key: string, nextAt: Instant, now: Instant): void {
    this.#change(key, (claimed) => {
      const { firstTriedAt, ...one } = unclaimed(claimed);
      const attempts = one.attempts - 1;
      const tried = attempts > 0 && firstTriedAt !== undefined && { firstTriedAt };
      return { ...one, attempts, nextAt, notedAt: now, ...tried };
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
          notedAt: now,
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

  #giveUpOldest(now: Instant): void {
    const problem = `more than ${MOST_WAITING} later messages waited`;
    for (const some of Map.groupBy(this.#content.waiting, ({ receiver }) => receiver).values()) {
      for (const { key } of some.slice(0, -MOST_WAITING)) this.settle(key, { outcome: "dead", problem }, now);
    }
    for (let { waiting } = this.#content; bytesOf(waiting) > MOST_BYTES; { waiting } = this.#content) {
      const [oldest] = waiting;
      if (oldest === undefined) return;
      this.settle(oldest.key, { outcome: "dead", problem: "later messages needed its space" }, now);
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

/** Whether the clock was set back since the message was noted: its instants would hold it for too long. */
function isOfClockAhead({ notedAt }: WaitingDelivery, now: Instant): boolean {
  return notedAt !== undefined && notedAt > now + CLOCK_TOLERANCE_MILLIS;
}

function bytesOf(waiting: readonly WaitingDelivery[]): number {
  return Buffer.byteLength(JSON.stringify(waiting));
}

function readyAt({ nextAt, claimedUntil = 0 }: WaitingDelivery): Instant {
  return Math.max(nextAt, claimedUntil);
}
