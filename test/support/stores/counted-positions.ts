import type { PositionRules } from "../../../src/kubernetes/delivery/position-rules.ts";

/** A position for tests: the progress of each resource. */
export type Counted = Readonly<Record<string, number>>;

export const countedPositions: PositionRules<Counted> = {
  reaches: (later, earlier) => Object.entries(earlier).every(([resource, at]) => (later[resource] ?? -1) >= at),
  fill: (floor, position) => ({ ...position, ...floor }),
  encode: (position) => JSON.stringify(position),
  decode: (text) => (text.startsWith("{") ? (JSON.parse(text) as Counted) : undefined),
};
