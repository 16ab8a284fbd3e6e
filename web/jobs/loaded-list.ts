import { type ReadonlySignal, signal } from "@preact/signals";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { SortedRange } from "../../src/query/list/list-sorted-jobs.ts";
import type { ApiResult, ListPage } from "../api/api-result.ts";
import { noteFailure } from "../api/freshness.ts";
import type { Parameters } from "../api/request.ts";
import { keyOf, type ListedRange, withChanges } from "./changed-rows.ts";
import { type JobListRow, jobListRow } from "./job-list-row.ts";
import { listFilter } from "./list-filter.ts";
import { readSort } from "../table/sort.ts";
import { listRequest } from "./list-parameters.ts";

/** The Jobs that match, as far as they are loaded. */
export interface JobList {
  readonly rows: readonly JobListRow[];
  /** More Jobs may match. */
  readonly more: boolean;
  readonly isGrowing: boolean;
  /** In an order other than by creation: only Jobs that were created since then are in the list. */
  readonly sortedSince: string | undefined;
  /** There were too many changes to show all of them in rows beyond the first page. */
  readonly isBehind: boolean;
}

/** The most Jobs of one list. */
export const MAX_ROWS = 10_000;
/** MAX_LIST_LIMIT of src/query/list/list-jobs.ts. */
export const LONG_PAGE = 500;
/** More than a screen shows. */
export const PAGE_SIZE = 100;
/**
 * A filter that drops most Jobs returns empty pages. After as many of them the reader decides, because each takes the
 * server a thousand rows.
 */
const MOST_EMPTY_PAGES = 3;

const EMPTY: JobList = { rows: [], more: false, sortedSince: undefined, isGrowing: false, isBehind: false };

/** A page of Jobs. `sorted` says which of them an order other than by creation has. */
export interface JobListPage extends ListPage<JobAnswer> {
  readonly sorted?: SortedRange;
}

type ReadPage = (parameters: Parameters, abort: AbortSignal) => Promise<ApiResult<JobListPage>>;

/** One list of Jobs. It grows on request, and takes changes of its Jobs. */
export class LoadedList {
  readonly #list = signal(EMPTY);
  readonly #filters: Readonly<Record<string, string>>;
  readonly #readPage: ReadPage;
  #cursor: string | undefined;
  /** The parameters of the first page, which its cursor needs. */
  #parameters = listRequest({}, 0);
  /** Changes since the last request began: its answer may be older than they are. */
  #during: JobAnswer[] = [];
  #growing = new AbortController();

  constructor(filters: Readonly<Record<string, string>>, readPage: ReadPage) {
    this.#filters = filters;
    this.#readPage = readPage;
  }

  get list(): ReadonlySignal<JobList> {
    return this.#list;
  }

  /** Whether the reader has loaded more than the first page. */
  get isLong(): boolean {
    return this.#list.peek().rows.length > PAGE_SIZE;
  }

  /** Whether a row shows progress, which is not announced as a change. */
  get hasProgress(): boolean {
    return this.#list.peek().rows.some(({ state, completions }) => state === "Running" && completions !== 1);
  }

  /** Reads the first page, and forgets the others. */
  async readFirst(abort: AbortSignal): Promise<ApiResult<unknown>> {
    this.#growing.abort();
    const parameters = listRequest(this.#filters, Date.now());
    const read = await this.#read({ ...parameters, limit: PAGE_SIZE }, abort);
    if (read.outcome !== "answered") return read;
    this.#parameters = parameters;
    this.#show([], read.answer);
    return read;
  }

  /** Reads the next page. */
  async readMore(limit = PAGE_SIZE): Promise<void> {
    const { more, isGrowing, rows } = this.#list.peek();
    if (!more || isGrowing || rows.length >= MAX_ROWS) return;
    this.#growing = new AbortController();
    const { signal: abort } = this.#growing;
    this.#list.value = { ...this.#list.peek(), isGrowing: true };
    try {
      const read = await this.#read({ ...this.#parameters, limit, cursor: this.#cursor }, abort);
      if (abort.aborted) return;
      if (read.outcome === "answered") this.#show(this.#list.peek().rows, read.answer);
      else noteFailure(read);
    } catch (error) {
      if (!abort.aborted) throw error;
    } finally {
      this.#list.value = { ...this.#list.peek(), isGrowing: false };
    }
  }

  /** Reads all pages, up to the most rows of a list. */
  async readAll(): Promise<void> {
    for (;;) {
      const { length } = this.#list.peek().rows;
      await this.readMore(LONG_PAGE);
      if (this.#list.peek().rows.length === length) return;
    }
  }

  take(jobs: readonly JobAnswer[]): void {
    this.#during.push(...jobs);
    const list = this.#list.peek();
    this.#list.value = { ...list, rows: withChanges(list.rows, jobs, this.#range(list)) };
  }

  /** Changes were missed. A short list is read again. */
  fallBehind(): void {
    if (this.isLong) this.#list.value = { ...this.#list.peek(), isBehind: true };
  }

  /** Reads up to the first page that has Jobs. */
  async #read(parameters: Parameters, abort: AbortSignal): Promise<Awaited<ReturnType<ReadPage>>> {
    this.#during = [];
    let { cursor } = parameters;
    for (let pages = 1; ; pages += 1) {
      const page = await this.#readPage({ ...parameters, cursor }, abort);
      if (page.outcome !== "answered") return page;
      const { items, nextCursor } = page.answer;
      if (items.length > 0 || nextCursor === undefined || pages === MOST_EMPTY_PAGES) return page;
      cursor = nextCursor;
    }
  }

  #show(before: readonly JobListRow[], { items, nextCursor, sorted }: JobListPage): void {
    this.#cursor = nextCursor;
    const more = nextCursor !== undefined;
    const read = new Set(items.map(keyOf));
    const rows = [...before.filter((row) => !read.has(keyOf(row))), ...items.map(jobListRow)];
    const { isBehind } = this.#list.peek();
    const sortedSince = sorted?.since;
    this.#list.value = {
      rows: withChanges(rows, this.#during, this.#range({ more, sortedSince })),
      more,
      sortedSince,
      isGrowing: false,
      isBehind: before.length > 0 && isBehind,
    };
  }

  #range({ more, sortedSince }: Pick<JobList, "more" | "sortedSince">): ListedRange {
    const isPart = more || sortedSince !== undefined;
    return { filter: listFilter(this.#filters, Date.now()), order: orderOf(this.#filters), more: isPart };
  }
}

function orderOf({ sort }: Readonly<Record<string, string>>): ListedRange["order"] {
  const { by, descending } = readSort(sort) ?? { by: "created", descending: true };
  return by !== "created" ? "other" : descending ? "newest" : "oldest";
}
