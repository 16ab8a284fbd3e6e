/**
 * What delivery needs to know of positions: how far a watch has come, resource by resource. They are of the one who captures; here they are carried,
 * kept and compared.
 */
export interface PositionRules<Position> {
  /** Whether whoever stands at `later` has seen all that leads up to `earlier`. Positions of different clusters reach nothing of each other. */
  reaches(later: Position, earlier: Position): boolean;
  /** `floor`, and of each resource that it does not name the place that `position` gives. */
  fill(floor: Position | undefined, position: Position): Position;
  encode(position: Position): string;
  /** `undefined` where the text is no position: nobody's, or a later release's. */
  decode(text: string): Position | undefined;
}
