/**
 * What delivery must know about positions, which the capture defines. Delivery only stores, sends and compares
 * them.
 */
export interface PositionRules<Position> {
  /** Whether `later` covers everything before `earlier`. Positions of different clusters never cover each other. */
  reaches(later: Position, earlier: Position): boolean;
  /** `floor`, extended by the resources of `position` that it lacks. */
  fill(floor: Position | undefined, position: Position): Position;
  encode(position: Position): string;
  /** Returns `undefined` if this release cannot decode `text`. */
  decode(text: string): Position | undefined;
}
