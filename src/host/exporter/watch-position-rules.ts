import type { PositionRules } from "../../kubernetes/delivery/position-rules.ts";
import { fillPosition, reachesPosition } from "../../kubernetes/watch/compare-positions.ts";
import { decodePosition, type Position } from "../../kubernetes/watch/position.ts";

/** Positions in a cluster's watch streams, for delivery. */
export const positionRules: PositionRules<Position> = {
  reaches: reachesPosition,
  fill: fillPosition,
  encode: (position) => JSON.stringify(position),
  decode: (text) => decodePosition(parsed(text)),
};

/** Users can edit stored positions, so the text may not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
