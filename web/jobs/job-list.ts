import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { onChanges } from "../ask/changes.ts";
import { type Live, useLive } from "../ask/live.ts";
import { readPages } from "../ask/read-pages.ts";
import { withChanges } from "./changed-rows.ts";
import { askedParameters } from "./job-filter.ts";
import { type JobListRow, jobListRow } from "./job-list-row.ts";

export interface JobList {
  readonly rows: readonly JobListRow[];
  /** There are more Jobs than the page reads. */
  readonly more: boolean;
  /** More pages are under way. */
  readonly growing: boolean;
}

/** The most Jobs that the page reads of one list. */
const MOST_ROWS = 10_000;
/** Small enough to be on the screen at once. */
const FIRST_PAGE = 100;
/** MAX_LIST_LIMIT of src/query/list/list-jobs.ts. */
const PAGE = 500;

/** A look at a long list is many pages. Changes are heard of in between; this finds what was not. */
const LOOK_AGAIN_AT_LIST = 30_000;

type Rows = ReadonlyMap<string, JobListRow>;
const NO_ROWS: Rows = new Map();

/** The Jobs that meet the filters of the address, kept up to date; the first rows are there before the last. */
export function useJobList(parameters: Readonly<Record<string, string>>): Live<JobList> {
  const { q: _words, ...filters } = parameters;
  const key = JSON.stringify(filters);
  const growing = useMemo((): Signal<Live<JobList> | undefined> => signal(undefined), [key]);
  const changed = useMemo((): Signal<Rows> => signal(NO_ROWS), [key]);
  const rowOf = useMemo(rowMemory, [key]);
  useEffect(() => onChanges((jobs) => (changed.value = withJobs(changed.peek(), jobs))), [changed]);
  const load = async (abort: AbortSignal) => {
    const read = await readPages<JobAnswer>(
      "jobs",
      askedParameters(filters, Date.now()),
      { most: MOST_ROWS, pageSize: PAGE, firstPage: FIRST_PAGE },
      abort,
      (soFar) => {
        const answer = { rows: soFar.map(rowOf), more: true, growing: true };
        growing.value = { phase: "answered", answer, at: Date.now() };
      },
    );
    if (read.outcome !== "answered") return read;
    changed.value = NO_ROWS;
    return { ...read, answer: { rows: read.answer.items.map(rowOf), more: read.answer.more, growing: false } };
  };
  const live = useLive<JobList>(key, load, { everyMillis: LOOK_AGAIN_AT_LIST }).value;
  const shown = live.phase === "asking" ? (growing.value ?? live) : live;
  if (shown.phase !== "answered" || changed.value.size === 0) return shown;
  return { ...shown, answer: { ...shown.answer, rows: withChanges(shown.answer.rows, changed.value, filters) } };
}

function withJobs(rows: Rows, jobs: readonly JobAnswer[]): Rows {
  return new Map([...rows, ...jobs.map((job) => [job.uid, jobListRow(job)] as const)]);
}

/** Makes one row of one answer once, however often the list grows. */
function rowMemory(): (job: JobAnswer) => JobListRow {
  const rows = new WeakMap<JobAnswer, JobListRow>();
  return (job) => {
    const row = rows.get(job) ?? jobListRow(job);
    rows.set(job, row);
    return row;
  };
}
