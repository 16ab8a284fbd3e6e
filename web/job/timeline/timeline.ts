import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { Outcome } from "../../../src/job/model/outcome.ts";
import { millisOf } from "../../text/instant-text.ts";
import { endOf } from "../attempt-end.ts";
import { attemptText } from "./bar-text.ts";

/** One Pod, or one Job, on the time axis: instants in milliseconds. */
export interface Bar {
  /** Of its Pod or its Job. */
  readonly uid: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** The actor that deleted it, if that is known. */
  readonly deleter?: string | undefined;
  /** All of it in words. */
  readonly describe: () => string;
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

/** The instants that an axis with these bars reaches to at least. */
type AxisEnds = (bars: readonly Bar[]) => readonly (number | undefined)[];

/** Lays out all Pods of a Job on one axis. */
export function layOutTimeline(attempts: readonly Attempt[], ends: AxisEnds = () => []): Timeline {
  const bars = attempts.map((attempt) => ({ ...barOf(attempt), title: groupTitle(attempt) })).sort(byCreation);
  const axis = axisOf(bars, ends);
  const named = bars.length <= MAX_NAMED;
  return { ...axis, groups: named ? [namedGroup("", bars)] : groupsOf(bars, axis) };
}

export function axisOf(bars: readonly Bar[], ends: AxisEnds): Pick<Timeline, "from" | "to"> {
  const instants = bars.flatMap(instantsOf);
  const from = instants.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const until = [...instants, ...ends(bars).filter((at) => at !== undefined)];
  return { from, to: until.reduce((most, at) => Math.max(most, at), from + 1_000) };
}

export function byCreation(a: Bar, b: Bar): number {
  return a.createdAt - b.createdAt;
}

/** Packed bars in one lane are at least this fraction of the axis apart. */
const PACKED_PARTS = 400;

export function barOf(attempt: Attempt): Bar {
  const starts = attempt.containers
    .filter(({ restartCount }) => restartCount > 0)
    .map((run) => millisOf(run.startedAt));
  return {
    uid: attempt.uid,
    name: attempt.name,
    outcome: attempt.outcome,
    deleter: attempt.deletedBy?.actor,
    describe: () => attemptText(attempt),
    createdAt: millisOf(attempt.createdAt) ?? 0,
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

/** Each bar in a row of its own. */
export function namedGroup(title: string, bars: readonly Bar[]): BarGroup {
  return {
    title,
    outcome: "Active",
    bars: bars.map((bar, lane) => ({ ...bar, lane })),
    lanes: bars.length,
    named: true,
  };
}

type TitledBar = Bar & { readonly title: string };

function groupsOf(bars: readonly TitledBar[], axis: Pick<Timeline, "from" | "to">): readonly BarGroup[] {
  const groups = Map.groupBy(bars, ({ title }) => title);
  return [...groups]
    .map(([title, members]) => packedGroup(title, members, axis))
    .sort((a, b) => RANK.indexOf(a.outcome) - RANK.indexOf(b.outcome) || b.bars.length - a.bars.length);
}

/** Problems come first. */
const RANK: readonly Outcome[] = ["Failed", "Unknown", "Active", "Terminating", "Succeeded"];

function groupTitle(attempt: Attempt): string {
  const end = attempt.outcome === "Failed" ? endOf(attempt) : "";
  return end === "" ? attempt.outcome : `${attempt.outcome}: ${end}`;
}

/** Puts each bar into the first free lane. */
export function packedGroup(
  title: string,
  members: readonly Bar[],
  { from, to }: Pick<Timeline, "from" | "to">,
): BarGroup {
  const apart = (to - from) / PACKED_PARTS;
  const freeFrom: number[] = [];
  const bars = members.map((bar) => {
    const found = freeFrom.findIndex((free) => free <= bar.createdAt);
    const lane = found < 0 ? freeFrom.length : found;
    freeFrom[lane] = Math.max(...instantsOf(bar)) + apart;
    return { ...bar, lane };
  });
  const outcome = members[0]?.outcome ?? "Unknown";
  return { title, outcome, bars, lanes: freeFrom.length, named: false };
}
