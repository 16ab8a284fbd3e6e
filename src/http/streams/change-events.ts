import { type JobChange, listChanges, scopedCursor } from "../../query/changes/changes.ts";
import { isAskedFor, type JobFilter } from "../../query/list/job-filter.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ChangeBatch, ChangeHub } from "./change-hub.ts";
import type { EventStream } from "./event-stream.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";

export interface ChangeEventsQuery {
  readonly filter: JobFilter;
  /** Where to go on from; a stream without one begins now. */
  readonly cursor?: string | undefined;
  readonly since?: Instant | undefined;
}

interface ClusterContext {
  readonly ports: () => Promise<QueryPorts>;
  readonly scope: Scope;
  readonly clock: () => Instant;
  readonly hub: ChangeHub;
  readonly turns: Semaphore;
  readonly onError: (error: Error) => void;
}

const PAGE = 500;
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MILLIS = 15_000;
/** How long a browser waits before it comes back. */
const RETRY_MILLIS = 2_000;
/** Jobs whose last line is remembered, so that where catching up meets what is live nothing is told twice. */
const MAX_REMEMBERED = 2_000;

/**
 * Server-sent events (WHATWG HTML, 9.2): `change` with a JobChange, and `heartbeat`. The id of an event is the cursor behind it: a browser that comes back
 * with Last-Event-ID misses nothing.
 */
export class ChangeEvents {
  readonly #stream: EventStream;
  readonly #query: ChangeEventsQuery;
  readonly #around: ClusterContext;
  readonly #told = new Map<string, string>();
  #waiting: ChangeBatch[] | undefined = [];
  #lastSentAt: Instant;

  constructor(stream: EventStream, query: ChangeEventsQuery, around: ClusterContext) {
    this.#stream = stream;
    this.#query = query;
    this.#around = around;
    this.#lastSentAt = around.clock();
  }

  /** Opens the stream: what is past first, then what comes. */
  run(): void {
    this.#stream.send(`retry: ${RETRY_MILLIS}\n\n`);
    this.#around.hub.listen((batch) => this.#take(batch), this.#stream.ended);
    this.#catchUp().catch((error: unknown) => {
      this.#around.onError(error instanceof Error ? error : new Error(String(error)));
      this.#stream.end();
    });
  }

  async #catchUp(): Promise<void> {
    const { filter, since } = this.#query;
    let { cursor } = this.#query;
    for (let more = cursor !== undefined || since !== undefined; more && !this.#stream.ended.aborted;) {
      const { ports, scope, clock, turns } = this.#around;
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
    for (const batch of waiting) this.#send(batch);
  }

  /** What comes while the stream still catches up waits its turn. */
  #take(batch: ChangeBatch): void {
    if (this.#waiting !== undefined) this.#waiting.push(batch);
    else this.#send(batch);
  }

  #send({ items, cursor }: ChangeBatch): void {
    const { filter } = this.#query;
    const { scope, clock } = this.#around;
    const news = items.filter((change) => isAskedFor(scope, filter, change.job) && this.#isNews(change));
    const now = clock();
    if (news.length === 0 && now - this.#lastSentAt < HEARTBEAT_MILLIS) return;
    this.#lastSentAt = now;
    const lines = news.map((change) => `event: change\ndata: ${JSON.stringify(change)}\n`);
    const beat = `event: heartbeat\ndata: {"time":"${new Date(now).toISOString()}"}\nid: ${scopedCursor(scope, cursor)}\n\n`;
    this.#stream.send([...lines, beat].join("\n"));
  }

  #isNews({ job }: JobChange): boolean {
    const { verdict, deletedAt, findings } = job;
    const news = JSON.stringify([verdict.state, verdict.reason, verdict.final, deletedAt, findings.length]);
    const key = `${job.cluster}#${job.uid}`;
    const isNews = this.#told.get(key) !== news;
    this.#told.delete(key);
    this.#told.set(key, news);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MAX_REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
    return isNews;
  }
}
