import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { onChanges } from "../api/changes.ts";
import { type Live, useLive } from "../api/live.ts";
import { readPages } from "../api/read-pages.ts";
import { withChanges } from "./changed-rows.ts";
import { apiParameters } from "./list-parameters.ts";
import { type JobListRow, jobListRow } from "./job-list-row.ts";

export interface JobList {
  readonly rows: readonly JobListRow[];
  /** There are more Jobs than the page reads. */
  readonly more: boolean;
  /** More pages are being loaded. */
  readonly growing: boolean;
}

/** The most Jobs that the page reads for one list. */
const MAX_ROWS = 10_000;
/** Small, so that the first rows appear early. */
const FIRST_PAGE_SIZE = 100;
/** MAX_LIST_LIMIT of src/query/list/list-jobs.ts. */
const PAGE_SIZE = 500;

/** A long list has many pages. Changes arrive in between, so a reload is only a safety net. */
const RELOAD_INTERVAL = 30_000;

type Rows = ReadonlyMap<string, JobListRow>;
const NO_ROWS: Rows = new Map();

/** The Jobs that match the filters of the address, kept up to date. The first rows appear early. */
export function useJobList(parameters: Readonly<Record<string, string>>): Live<JobList> {
  const { q: _words, ...filters } = parameters;
  const key = JSON.stringify(filters);
  const growing = useMemo((): Signal<Live<JobList> | undefined> => signal(undefined), [key]);
  const changed = useMemo((): Signal<Rows> => signal(NO_ROWS), [key]);
  const rowOf = useMemo(rowMemory, [key]);
  useEffect(() => onChanges((jobs) => (changed.value = withJobs(changed.peek(), jobs))), [changed]);
  const load = async (abort: AbortSignal) => {
    const limits = { most: MAX_ROWS, pageSize: PAGE_SIZE, firstPage: FIRST_PAGE_SIZE };
    const list = { path: "jobs", parameters: apiParameters(filters, Date.now()), ...limits };
    const read = await readPages<JobAnswer>(list, abort, (soFar) => {
      const answer = { rows: soFar.map(rowOf), more: true, growing: true };
      growing.value = { phase: "answered", answer, at: Date.now() };
    });
    if (read.outcome !== "answered") return read;
    changed.value = NO_ROWS;
    return { ...read, answer: { rows: read.answer.items.map(rowOf), more: read.answer.more, growing: false } };
  };
  const live = useLive<JobList>(key, load, { everyMillis: RELOAD_INTERVAL }).value;
  const shown = live.phase === "loading" ? (growing.value ?? live) : live;
  if (shown.phase !== "answered" || changed.value.size === 0) return shown;
  return { ...shown, answer: { ...shown.answer, rows: withChanges(shown.answer.rows, changed.value, filters) } };
}

function withJobs(rows: Rows, jobs: readonly JobAnswer[]): Rows {
  return new Map([...rows, ...jobs.map((job) => [job.uid, jobListRow(job)] as const)]);
}

/** Caches the row of each answer while the list grows. */
function rowMemory(): (job: JobAnswer) => JobListRow {
  const rows = new WeakMap<JobAnswer, JobListRow>();
  return (job) => {
    const row = rows.get(job) ?? jobListRow(job);
    rows.set(job, row);
    return row;
  };
}
