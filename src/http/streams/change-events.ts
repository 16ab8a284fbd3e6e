import { type JobChange, listChanges } from "../../query/changes/changes.ts";
import { encodeFollow } from "../../query/changes/follow-position.ts";
import { isSelected, type JobFilter } from "../../query/list/job-filter.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ChangeBatch, ChangeHub } from "./change-hub.ts";
import type { EventStream } from "./event-stream.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";

export interface ChangeEventsQuery {
  readonly filter: JobFilter;
  /** Where to continue. Without it, the stream begins now. */
  readonly cursor?: string | undefined;
  readonly since?: Instant | undefined;
}

interface StreamContext {
  readonly ports: () => Promise<QueryPorts>;
  readonly scope: Scope;
  readonly clock: () => Instant;
  readonly hub: ChangeHub;
  readonly turns: Semaphore;
  readonly onError: (error: Error) => void;
}

const PAGE = 500;
/** Interval of heartbeats. Proxies close connections that are silent for a minute. */
const HEARTBEAT_MILLIS = 15_000;
/** How long a browser waits before it reconnects. */
const RETRY_MILLIS = 2_000;
/** How many Jobs are remembered, to send each change once where old and live changes overlap. */
const MAX_REMEMBERED = 2_000;

/**
 * Server-sent events (WHATWG HTML, 9.2): `change` with a JobChange, and `heartbeat`.
 * The id of an event is the cursor after it, so a browser that reconnects with Last-Event-ID misses nothing.
 */
export class ChangeEvents {
  readonly #stream: EventStream;
  readonly #query: ChangeEventsQuery;
  readonly #context: StreamContext;
  readonly #lastSent = new Map<string, string>();
  #waiting: ChangeBatch[] | undefined = [];
  #lastSentAt: Instant;

  constructor(stream: EventStream, query: ChangeEventsQuery, context: StreamContext) {
    this.#stream = stream;
    this.#query = query;
    this.#context = context;
    this.#lastSentAt = context.clock();
  }

  /** Starts the stream: first the changes since the cursor, then live changes. */
  run(): void {
    this.#stream.send(`retry: ${RETRY_MILLIS}\n\n`);
    this.#context.hub.listen((batch) => this.#take(batch), this.#stream.ended);
    this.#catchUp().catch((error: unknown) => {
      this.#context.onError(error instanceof Error ? error : new Error(String(error)));
      this.#stream.end();
    });
  }

  async #catchUp(): Promise<void> {
    const { filter, since } = this.#query;
    let { cursor } = this.#query;
    for (let more = cursor !== undefined || since !== undefined; more && !this.#stream.ended.aborted;) {
      const { ports, scope, clock, turns } = this.#context;
      const from = cursor;
      const page = await turns.run(async () =>
        this.#stream.ended.aborted
          ? undefined
          : listChanges(await ports(), scope, { filter, limit: PAGE, now: clock(), cursor: from, since }),
      );
      if (page === undefined) return;
      if (page.outcome === "badCursor") break;
      cursor = page.nextCursor;
      if (!(await this.#stream.room())) return;
      this.#send({ items: page.items, cursor });
      more = page.more;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const batch of waiting) this.#sendLive(batch);
  }

  /** Live changes wait until the stream has caught up. */
  #take(batch: ChangeBatch): void {
    if (this.#waiting !== undefined) this.#waiting.push(batch);
    else this.#sendLive(batch);
  }

  #sendLive({ items, position }: ChangeBatch): void {
    this.#send({ items, cursor: encodeFollow(position, this.#context.scope) });
  }

  #send({ items, cursor }: { readonly items: readonly JobChange[]; readonly cursor: string }): void {
    const { filter } = this.#query;
    const { scope, clock } = this.#context;
    const news = items.filter((change) => isSelected(scope, filter, change.job) && this.#isNews(change));
    const now = clock();
    if (news.length === 0 && now - this.#lastSentAt < HEARTBEAT_MILLIS) return;
    this.#lastSentAt = now;
    const lines = news.map((change) => `event: change\ndata: ${JSON.stringify(change)}\n`);
    const time = new Date(now).toISOString();
    const beat = `event: heartbeat\ndata: {"time":"${time}"}\nid: ${cursor}\n\n`;
    this.#stream.send([...lines, beat].join("\n"));
  }

  #isNews({ job }: JobChange): boolean {
    const { verdict, deletedAt, findings } = job;
    const news = JSON.stringify([verdict.state, verdict.reason, verdict.final, deletedAt, findings.length]);
    const key = `${job.cluster}#${job.uid}`;
    const isNews = this.#lastSent.get(key) !== news;
    this.#lastSent.delete(key);
    this.#lastSent.set(key, news);
    const [oldest] = this.#lastSent.keys();
    if (this.#lastSent.size > MAX_REMEMBERED && oldest !== undefined) this.#lastSent.delete(oldest);
    return isNews;
  }
}
