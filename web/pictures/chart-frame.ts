/** Where a chart draws, in CSS pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The width of a bucket. */
  readonly step: number;
  /** The marks of the value axis. */
  readonly marks: readonly number[];
  readonly yOf: (value: number) => number;
}
