import type { Fact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { orderOf } from "../../job/model/order.ts";
import { deliverDue } from "../../notify/outbox/deliver-due.ts";
import type { NotificationRules } from "../../notify/rules/rules.ts";
import type { OutgoingMessage } from "../../ports/message-sender.ts";
import type { LogLinks } from "../../query/log-links/log-links.ts";
import { sealSegment } from "../../segment/seal-segment.ts";
import { type Embedded, openEmbedded } from "./embedded-tracker.ts";

/** A message that would have been sent. */
export interface Rehearsed {
  /** The time by the clock of the recording. Messages that are held at its end have the time of the end. */
  readonly at: Instant;
  readonly receiver: string;
  /** The line that people read first. */
  readonly title: string;
  readonly message: OutgoingMessage;
}

export interface RehearsalOptions {
  readonly cluster: ClusterName;
  /** Where Pods' logs can be read. @default no links to logs */
  readonly logLinks?: LogLinks;
  /** Receives why segments could not be projected. */
  readonly onUnfolded: (causes: readonly unknown[]) => void;
}

/** Facts within this many milliseconds of recorded time are sent together, as an exporter would. */
const WINDOW_MILLIS = 1_000;
const MAX_FACTS = 500;
const MINUTE_MILLIS = 60_000;
/** The longest duration in a rule file. After it, every held message is due. */
const LONGEST_HOLD_MILLIS = 7 * 86_400_000;

/**
 * The messages that rules would have sent while the recorded facts arrived, from a tracker in memory that uses the
 * recording's clock. The same recording gives the same messages. Messages that are held at its end are sent as if
 * nothing had changed later.
 */
export async function* rehearseRules(
  rules: NotificationRules,
  facts: AsyncIterable<readonly Fact[]>,
  options: RehearsalOptions,
): AsyncGenerator<Rehearsed> {
  const rehearsal = new Rehearsal(rules, options);
  try {
    for await (const some of facts) {
      for (const fact of some) if (rehearsal.take(fact)) yield* await rehearsal.flush();
    }
    yield* await rehearsal.flush();
    yield* await rehearsal.end();
  } finally {
    rehearsal.close();
  }
}

class Rehearsal {
  readonly #rules: NotificationRules;
  readonly #options: RehearsalOptions;
  readonly #embedded: Embedded;
  readonly #queue: ReturnType<Embedded["queue"]>;
  #facts: Fact[] = [];
  #now: Instant = 0;
  #begunAt: Instant = 0;
  #sweptAt: Instant = 0;
  #sequence = 0;

  constructor(rules: NotificationRules, options: RehearsalOptions) {
    this.#rules = rules;
    this.#options = options;
    const now = (): Instant => this.#now;
    const { logLinks } = options;
    const notify = { rules, now, includesRecordings: true };
    this.#embedded = openEmbedded(":memory:", { notify, ...(logLinks && { logLinks }) });
    this.#queue = this.#embedded.queue({ now, onUnfolded: options.onUnfolded });
  }

  /** Takes a fact. Returns whether enough of them are waiting. */
  take(fact: Fact): boolean {
    this.#facts.push(fact);
    this.#now = Math.max(this.#now, fact.at);
    if (this.#facts.length === 1) this.#begunAt = this.#now;
    return this.#facts.length >= MAX_FACTS || this.#now - this.#begunAt >= WINDOW_MILLIS;
  }

  async flush(): Promise<readonly Rehearsed[]> {
    const last = this.#facts.at(-1);
    if (last === undefined) return [];
    // The heartbeat states until when the cluster was observed.
    const heartbeat: Fact = { ...orderOf(last), at: this.#now, kind: "ClusterObserved" };
    const segment = sealSegment({
      cluster: this.#options.cluster,
      session: "rehearsal0000000",
      sequence: this.#sequence,
      sealedAt: this.#now,
      facts: [...this.#facts, heartbeat],
    });
    this.#sequence += 1;
    this.#facts = [];
    await this.#queue.send([{ ...segment, cluster: this.#options.cluster }]);
    if (this.#now - this.#sweptAt >= MINUTE_MILLIS) {
      this.#sweptAt = this.#now;
      await this.#embedded.sweep({ now: this.#now, freshMillis: 0 });
      await this.#embedded.watchSchedules();
    }
    return this.#deliver();
  }

  async end(): Promise<readonly Rehearsed[]> {
    await this.#embedded.sweep({ now: this.#now, freshMillis: 0 });
    await this.#embedded.watchSchedules();
    const last = await this.#deliver();
    const endedAt = this.#now;
    this.#now += LONGEST_HOLD_MILLIS;
    const held = await this.#deliver();
    return [...last, ...held.map((one) => ({ ...one, at: endedAt }))];
  }

  async #deliver(): Promise<readonly Rehearsed[]> {
    const sent: Rehearsed[] = [];
    const { meta, retry, dueSubjects } = this.#embedded;
    for (const receiver of this.#rules.receivers) {
      const ports = {
        meta,
        retry,
        dueSubjects,
        now: () => this.#now,
        backOff: () => 0,
        send: async (message: OutgoingMessage, title: string) => {
          sent.push({ at: this.#now, receiver: receiver.name, title, message });
          return { outcome: "accepted", status: 200 } as const;
        },
      };
      while ((await deliverDue(ports, receiver)).outcome === "delivered");
    }
    return sent;
  }

  close(): void {
    this.#embedded.close();
  }
}
