import { useEffect, useMemo, useRef } from "preact/hooks";
import { onChanges } from "../api/changes.ts";
import { type Live, refresh, useLive } from "../api/live.ts";
import { type Parameters, request } from "../api/request.ts";
import { freshnessOf } from "../clusters/cluster-freshness.ts";
import { useClusters } from "../clusters/use-clusters.ts";
import { now } from "../shell/clock.ts";
import { useKept } from "../table/use-kept.ts";
import { type JobList, type JobListPage, LoadedList } from "./loaded-list.ts";
import { listQuestion, SPANS } from "./list-parameters.ts";

/** How often rows that show progress are read again. */
const PROGRESS_INTERVAL = 60_000;

export interface GrowingList {
  readonly live: Live<JobList>;
  /** Loads the next rows. */
  readonly readMore: (limit?: number) => void;
  readonly readAll: () => void;
  /** The rows of the earlier order are shown until those of the new one are read. */
  readonly isReordering: boolean;
}

/** The Jobs that match the filters of the address, kept up to date by changes. */
export function useJobList(parameters: Readonly<Record<string, string>>): GrowingList {
  const question = listQuestion(parameters);
  const key = JSON.stringify(question);
  const list = useMemo(() => new LoadedList(question, readPage), [key]);
  useEffect(() => onChanges((news) => (news === "missed" ? list.fallBehind() : list.take(news))), [list]);
  useReadWhenSilent(list);
  const repeats = (why: "missed" | "interval"): boolean => !list.isLong && (why === "missed" || list.hasProgress);
  const load = (abort: AbortSignal) => list.readFirst(abort);
  const live = useLive(key, load, { everyMillis: PROGRESS_INTERVAL, repeats }).value;
  const current = live.phase === "answered" ? { ...live, answer: recent(list.list.value, question) } : live;
  const { sort: _sort, usage: _usage, expected: _expected, ...filters } = question;
  const kept = useKept(current, JSON.stringify(filters));
  return {
    live: kept.live,
    isReordering: kept.isKept,
    readMore: (limit) => void list.readMore(limit),
    readAll: () => void list.readAll(),
  };
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

const readPage = (parameters: Parameters, abort: AbortSignal) => request<JobListPage>("jobs", parameters, abort);

/** Without Jobs that have become older than the chosen span since they were read. */
function recent(list: JobList, { created = "" }: Readonly<Record<string, string>>): JobList {
  const span = SPANS.get(created);
  if (span === undefined) return list;
  const since = now.value - span;
  return { ...list, rows: list.rows.filter(({ createdAt }) => Date.parse(createdAt) >= since) };
}
