import type { JobChange } from "../../explain/answer-document.ts";
import { type ChangesPage, listChanges } from "../../query/changes/changes.ts";
import { isSelected, type JobFilter } from "../../query/list/job-filter.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ChangeBatch, ChangeHub } from "./change-hub.ts";
import type { EventStream } from "./event-stream.ts";
import type { Semaphore } from "../../ports/concurrency/semaphore.ts";
import { type SharedRead, SharedReads } from "./shared-reads.ts";

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
  readonly pages: ChangePages;
  readonly turns: Semaphore;
  readonly onError: (error: Error) => void;
}

/** The pages that streams read to catch up. A page is `undefined` if the stream that began to read it has ended. */
export type ChangePages = SharedReads<ChangesPage | undefined>;

const PAGE = 500;
/** How many pages are kept for streams that are a little behind others. */
const MAX_KEPT_PAGES = 16;
/** Interval of heartbeats. Proxies close connections that are silent for a minute. */
const HEARTBEAT_MILLIS = 15_000;
/** How long a browser waits before it reconnects. */
const RETRY_MILLIS = 2_000;
/** How many Jobs are remembered, to send each change once where old and live changes overlap. */
const MAX_REMEMBERED = 2_000;

/** One reader for all streams that have the same grants and filter, and begin at the same time or cursor. */
export function sharedPages(): ChangePages {
  // The last page lacks changes that arrived after it was read. Every other page stays correct.
  return new SharedReads({ most: MAX_KEPT_PAGES, mayKeep: (page) => page?.outcome === "listed" && page.more });
}

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
    const { since } = this.#query;
    let { cursor } = this.#query;
    const listeningSince = this.#context.pages.mark();
    for (let more = cursor !== undefined || since !== undefined; more;) {
      const read = await this.#readPage(cursor);
      if (read === undefined || !(await this.#stream.room())) return;
      const { result: page, begunAt } = read;
      if (page.outcome !== "listed") break;
      const { items, nextCursor } = page;
      cursor = nextCursor;
      this.#send(items, () => nextCursor);
      // A read that another stream began earlier may lack changes that were sent live before this stream listened.
      more = page.more || begunAt < listeningSince;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const batch of waiting) this.#sendLive(batch);
  }

  /** The page after the cursor; `undefined` if the stream has ended. */
  async #readPage(cursor: string | undefined): Promise<SharedRead<ChangesPage> | undefined> {
    const { ports, scope, clock, turns, pages } = this.#context;
    const { filter, since } = this.#query;
    const name = JSON.stringify([scope, filter, cursor ?? since]);
    while (!this.#stream.ended.aborted) {
      const { result, begunAt } = await pages.run(name, () =>
        turns.run(async () =>
          this.#stream.ended.aborted
            ? undefined
            : listChanges(await ports(), scope, { filter, limit: PAGE, now: clock(), cursor, since, isPrompt: true }),
        ),
      );
      // It is undefined if the stream that began the read has ended.
      if (result !== undefined) return { result, begunAt };
    }
    return undefined;
  }

  /** Live changes wait until the stream has caught up. */
  #take(batch: ChangeBatch): void {
    if (this.#waiting !== undefined) this.#waiting.push(batch);
    else this.#sendLive(batch);
  }

  #sendLive({ items, cursorFor }: ChangeBatch): void {
    this.#send(items, () => cursorFor(this.#context.scope));
  }

  #send(items: readonly JobChange[], cursor: () => string): void {
    const { filter } = this.#query;
    const { scope, clock } = this.#context;
    const news = items.filter((change) => isSelected(scope, filter, change.job) && this.#isNews(change));
    const now = clock();
    if (news.length === 0 && now - this.#lastSentAt < HEARTBEAT_MILLIS) return;
    this.#lastSentAt = now;
    const lines = news.map((change) => `event: change\ndata: ${JSON.stringify(change)}\n`);
    const time = new Date(now).toISOString();
    const beat = `event: heartbeat\ndata: {"time":"${time}"}\nid: ${cursor()}\n\n`;
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
