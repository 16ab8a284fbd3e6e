/** What a service costs in a month. */
export interface BillItem {
  readonly service: string;
  readonly dollars: number;
  /** Whether it rests on assumed rates or durations, not on measured ones. */
  readonly isModelled: boolean;
}
