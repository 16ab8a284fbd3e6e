import { useEffect, useMemo, useRef } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { ListPage } from "../api/api-result.ts";
import { onChanges } from "../api/changes.ts";
import { type Live, refresh, useLive } from "../api/live.ts";
import { type Parameters, request } from "../api/request.ts";
import { freshnessOf } from "../clusters/cluster-freshness.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "../shell/clock.ts";
import { type JobList, LoadedList } from "./loaded-list.ts";
import { SPANS } from "./list-parameters.ts";

/** How often rows that show progress are read again. */
const PROGRESS_INTERVAL = 60_000;

export interface GrowingList {
  readonly live: Live<JobList>;
  /** Loads the next rows. */
  readonly readMore: (limit?: number) => void;
}

/** The Jobs that match the filters of the address, kept up to date by changes. */
export function useJobList(parameters: Readonly<Record<string, string>>): GrowingList {
  const { q: _words, ...filters } = parameters;
  const key = JSON.stringify(filters);
  const list = useMemo(() => new LoadedList(filters, readPage), [key]);
  useEffect(() => onChanges((news) => (news === "missed" ? list.fallBehind() : list.take(news))), [list]);
  useReadWhenSilent(list);
  const repeats = (why: "missed" | "interval"): boolean => !list.isLong && (why === "missed" || list.hasProgress);
  const load = (abort: AbortSignal) => list.readFirst(abort);
  const live = useLive(key, load, { everyMillis: PROGRESS_INTERVAL, repeats }).value;
  const readMore = (limit?: number): void => void list.readMore(limit);
  if (live.phase !== "answered") return { live, readMore };
  return { live: { ...live, answer: recent(list.list.value, filters) }, readMore };
}

/** A cluster that falls silent, or reports again, changes what a list says of its Jobs, and announces nothing. */
function useReadWhenSilent(list: LoadedList): void {
  const live = useClusters();
  const clusters = live.phase === "answered" ? live.answer.items : undefined;
  const silent = clusters
    ?.filter((cluster) => freshnessOf(cluster, now.value).kind === "notReporting")
    .map(({ name }) => name)
    .join();
  const before = useRef(silent);
  useEffect(() => {
    const isChange = before.current !== undefined && silent !== undefined && silent !== before.current;
    before.current = silent ?? before.current;
    if (isChange && !list.isLong) refresh();
  }, [silent]);
}

const readPage = (parameters: Parameters, abort: AbortSignal) =>
  request<ListPage<JobAnswer>>("jobs", parameters, abort);

/** Without Jobs that have become older than the chosen span since they were read. */
function recent(list: JobList, { created = "" }: Readonly<Record<string, string>>): JobList {
  const span = SPANS[created];
  if (span === undefined) return list;
  const since = now.value - span;
  return { ...list, rows: list.rows.filter(({ createdAt }) => Date.parse(createdAt) >= since) };
}
