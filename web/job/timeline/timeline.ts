import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { Outcome } from "../../../src/job/model/outcome.ts";
import { millisOf } from "../../text/instant-text.ts";
import { endOf } from "../attempt-end.ts";

/** One Pod on the time axis: instants in milliseconds. */
export interface Bar {
  readonly attempt: Attempt;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly deletedAt: number | undefined;
  /** When a container of the Pod restarted. */
  readonly restartedAt: readonly number[];
  /** Its row within the group. */
  readonly lane: number;
}

export interface BarGroup {
  readonly title: string;
  readonly outcome: Outcome;
  readonly bars: readonly Bar[];
  readonly lanes: number;
  /** Each Pod has its own lane, with its name before it. */
  readonly named: boolean;
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly groups: readonly BarGroup[];
}

/** The most Pods with a named row each. If there are more, they are grouped by outcome and packed. */
export const MAX_NAMED = 40;

/** Lays out all Pods of a Job on one axis, which reaches at least to the instants of `until`. */
export function layOutTimeline(attempts: readonly Attempt[], until: readonly (number | undefined)[]): Timeline {
  const bars = attempts.map(barOf).sort((a, b) => a.createdAt - b.createdAt);
  const instants = bars.flatMap(instantsOf);
  const from = instants.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const to = [...instants, ...until.filter((at) => at !== undefined)].reduce(
    (most, at) => Math.max(most, at),
    from + 1_000,
  );
  const named = bars.length <= MAX_NAMED;
  return { from, to, groups: named ? [namedGroup(bars)] : groupsOf(bars, (to - from) / PACKED_PARTS) };
}

/** Packed bars in one lane are at least this fraction of the axis apart. */
const PACKED_PARTS = 400;

function barOf(attempt: Attempt): Bar {
  const createdAt = millisOf(attempt.createdAt) ?? 0;
  const starts = attempt.containers
    .filter(({ restartCount }) => restartCount > 0)
    .map((run) => millisOf(run.startedAt));
  return {
    attempt,
    createdAt,
    startedAt: millisOf(attempt.startedAt),
    endedAt: millisOf(attempt.finishedAt),
    deletedAt: millisOf(attempt.deletedAt),
    restartedAt: starts.filter((at) => at !== undefined),
    lane: 0,
  };
}

function instantsOf({ createdAt, startedAt, endedAt, deletedAt }: Bar): readonly number[] {
  return [createdAt, startedAt, endedAt, deletedAt].filter((at) => at !== undefined);
}

function namedGroup(bars: readonly Bar[]): BarGroup {
  return {
    title: "",
    outcome: "Active",
    bars: bars.map((bar, lane) => ({ ...bar, lane })),
    lanes: bars.length,
    named: true,
  };
}

function groupsOf(bars: readonly Bar[], apart: number): readonly BarGroup[] {
  const groups = Map.groupBy(bars, ({ attempt }) => groupTitle(attempt));
  return [...groups]
    .map(([title, members]) => packed(title, members, apart))
    .sort((a, b) => RANK.indexOf(a.outcome) - RANK.indexOf(b.outcome) || b.bars.length - a.bars.length);
}

/** Problems come first. */
const RANK: readonly Outcome[] = ["Failed", "Unknown", "Active", "Terminating", "Succeeded"];

function groupTitle(attempt: Attempt): string {
  const end = attempt.outcome === "Failed" ? endOf(attempt) : "";
  return end === "" ? attempt.outcome : `${attempt.outcome}: ${end}`;
}

/** Puts each bar into the first free lane. */
function packed(title: string, members: readonly Bar[], apart: number): BarGroup {
  const freeFrom: number[] = [];
  const bars = members.map((bar) => {
    const found = freeFrom.findIndex((free) => free <= bar.createdAt);
    const lane = found < 0 ? freeFrom.length : found;
    freeFrom[lane] = Math.max(...instantsOf(bar)) + apart;
    return { ...bar, lane };
  });
  const outcome = members[0]?.attempt.outcome ?? "Unknown";
  return { title, outcome, bars, lanes: freeFrom.length, named: false };
}
