import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { type Notification, readNotification } from "../../../src/notify/notification.ts";
import { deliverSubjects, type DeliveredSubjects } from "../../../src/notify/outbox/deliver-subjects.ts";
import { notifyOfJobs } from "../../../src/notify/outbox/notify-of-jobs.ts";
import type { NotificationRules, Receiver, UnusableReceiver } from "../../../src/notify/rules/rules.ts";
import type { JobRow } from "../../../src/ports/job-row.ts";
import type { JobKey, JobStore, RunStore } from "../../../src/ports/jobs.ts";
import type { OutgoingMessage, SendResult } from "../../../src/ports/message-sender.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import type { ProjectionName, Projections } from "../../../src/ports/projections.ts";
import type { RowWrite } from "../../../src/ports/row-write.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../facts/names.ts";
import type { Process } from "../killed/killed-at.ts";
import { MemoryLog } from "../stores/memory-log.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { MemoryProjections } from "../stores/memory-projections.ts";
import { HOOK, rulesOf } from "./notified-tracker.ts";

const RETRY = { attempts: 5, pause: async () => {} };

/** The projections, and the stream of rows that their tables would have. */
class StreamedProjections implements Projections {
  readonly #projections = new MemoryProjections();
  readonly #onWrite: (write: Omit<RowWrite, "writtenAt">) => void;

  constructor(onWrite: (write: Omit<RowWrite, "writtenAt">) => void) {
    this.#onWrite = onWrite;
  }

  runs(name: ProjectionName): RunStore {
    return this.#projections.runs(name);
  }

  open(name: ProjectionName): JobStore {
    const store = this.#projections.open(name);
    const report = (key: JobKey, before: JobRow | undefined, after: JobRow): void =>
      this.#onWrite({ projection: name, key, after, ...(before && { before }) });
    return new Proxy(store, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== "function") return member;
        if (property !== "write") return member.bind(target) as unknown;
        return async (...args: Parameters<JobStore["write"]>) => {
          const before = (await target.read(args[0]))?.row;
          const written = await target.write(...args);
          if (written.outcome === "written" && args[1].row !== undefined) report(args[0], before, args[1].row);
          return written;
        };
      },
    });
  }

  clear(name: ProjectionName) {
    return this.#projections.clear(name);
  }
}

/** A stage whose functions run one after another when the test calls them. */
export class NotifiedStage {
  readonly meta = new MemoryMetaStore();
  readonly log = new MemoryLog();
  /** What the streams of both tables have reported. */
  readonly stream: RowWrite[] = [];
  readonly projections = new StreamedProjections((write) =>
    this.stream.push({ ...write, writtenAt: Math.floor(this.now / 1_000) * 1_000 }),
  );
  /** What waits in the queues of the receivers. */
  readonly queued: WakeUp[] = [];
  /** Every message, in the order in which receivers got it. */
  readonly sent: { readonly receiver: string; readonly notification: Notification }[] = [];
  readonly #days = new LogDayRegistry(this.meta);
  #sequence = 0;
  now = Date.parse("2026-01-01T00:10:00Z");
  rules: NotificationRules = rulesOf();
  answer: (message: OutgoingMessage) => SendResult = () => ({ outcome: "accepted", status: 200 });

  /** One segment, ingested and projected. */
  async receive(facts: readonly Fact[]): Promise<void> {
    const named = { cluster: clusterNamed("east"), session: "0123456789abcdef", sequence: this.#sequence };
    this.#sequence += 1;
    const { bytes } = sealSegment({ ...named, sealedAt: this.now, facts });
    const ingested = await ingestSegment({ log: this.log, meta: this.meta, days: this.#days }, bytes, {
      now: this.now,
    });
    if (ingested.outcome !== "appended") throw new Error(ingested.outcome);
    await projectLive({ projections: this.projections, meta: this.meta }, [ingested.item], RETRY);
  }

  async receiveAll(events: readonly (readonly Fact[])[]): Promise<void> {
    for (const facts of events) await this.receive(facts);
  }

  /** What the stream has reported by now, taken from it. */
  reported(): readonly RowWrite[] {
    return this.stream.splice(0);
  }

  /** The function `notify` receives writes. Throws what failed. */
  async notify(writes: readonly RowWrite[] = this.reported(), process?: Process): Promise<number> {
    const of = <Store extends object>(store: Store): Store => process?.over(store) ?? store;
    const ports = {
      meta: of<MetaStore>(this.meta),
      log: of(this.log),
      projections: of<Projections>(this.projections),
      wakeUps: of({ send: async (some: readonly WakeUp[]) => void this.queued.push(...some) }),
      retry: RETRY,
    };
    const { matched, failed } = await notifyOfJobs(ports, { rules: this.rules, now: () => this.now }, writes);
    const [first] = failed;
    if (first !== undefined) throw first.cause;
    return matched;
  }

  /** The function `deliver` receives wake-ups for a receiver. */
  async deliver(
    subjects: readonly string[] = this.subjects(),
    { receiver = HOOK, process }: { readonly receiver?: Receiver | UnusableReceiver; readonly process?: Process } = {},
  ): Promise<DeliveredSubjects> {
    const of = <Store extends object>(store: Store): Store => process?.over(store) ?? store;
    const receiving = of({ receive: async (message: OutgoingMessage) => this.#take(receiver.name, message) });
    const ports = {
      meta: of<MetaStore>(this.meta),
      retry: RETRY,
      now: () => this.now,
      backOff: () => 5_000,
      send: (message: OutgoingMessage) => receiving.receive(message),
    };
    return deliverSubjects(ports, receiver, subjects);
  }

  subjects(receiver = HOOK.name): readonly string[] {
    return this.queued.filter((one) => one.receiver === receiver).map(({ subject }) => subject);
  }

  /** The distinct messages: what a receiver that knows the identity has made of them. */
  effects(): readonly string[] {
    return [...new Set(this.sent.map(({ notification }) => `${notification.kind} ${notification.key}`))];
  }

  #take(receiver: string, message: OutgoingMessage): SendResult {
    if (message.kind === "http") {
      const { data } = JSON.parse(message.body) as { readonly data?: unknown };
      if (data !== undefined) this.sent.push({ receiver, notification: readNotification(JSON.stringify(data)) });
    }
    return this.answer(message);
  }
}
