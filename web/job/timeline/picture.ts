import { localText } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import type { BarGroup } from "./timeline.ts";
import type { Band, Mark } from "./timeline-marks.ts";

/** What is drawn of one group of Pods. */
export interface Picture {
  readonly group: BarGroup;
  readonly from: number;
  readonly to: number;
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
}

export const AXIS_HEIGHT = 18;
export const NAMES_WIDTH = 190;
const NAMED_LANE_HEIGHT = 19;
const MAX_LANE_HEIGHT = 12;
const MAX_GROUP_HEIGHT = 260;
const MIN_WIDTH_WITH_NAMES = 560;

/** The height of a lane in pixels. A named lane has room for a line of text; packed lanes share the height. */
export function laneHeight({ named, lanes }: BarGroup): number {
  if (named) return NAMED_LANE_HEIGHT;
  return Math.max(2, Math.min(MAX_LANE_HEIGHT, Math.floor(MAX_GROUP_HEIGHT / Math.max(1, lanes))));
}

/** Whether the names of the Pods are drawn before the axis. */
export function hasNameColumn({ named }: BarGroup, width: number): boolean {
  return named && width > MIN_WIDTH_WITH_NAMES;
}

/** Where the axis begins. */
export function leftEdge(group: BarGroup, width: number): number {
  return hasNameColumn(group, width) ? NAMES_WIDTH : 4;
}

export function xOf({ from, to, group }: Picture, at: number, width: number): number {
  const left = leftEdge(group, width);
  return left + ((at - from) / (to - from)) * (width - left - 8);
}

/** The text alternative of a drawing. */
export function pictureText({ group, from, to }: Picture, noun: string): string {
  const outcomes = Map.groupBy(group.bars, ({ outcome }) => outcome);
  const counts = [...outcomes].map(([outcome, bars]) => `${bars.length} ${outcome}`).join(", ");
  const deleted = group.bars.filter(({ deletedAt }) => deletedAt !== undefined).length;
  const deletions = deleted === 0 ? "" : `; ${deleted} deleted`;
  const bars = plural(group.bars.length, noun);
  const span = `from ${localText(from)} to ${localText(to)}`;
  return `${bars} ${span}: ${counts}${deletions}. The table of ${noun}s lists each of them.`;
}
