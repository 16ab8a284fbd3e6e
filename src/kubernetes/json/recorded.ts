/** One result of reading a recording: `event` is input for `translate`, `problem` is a sentence. */
export type Recorded =
  | { readonly line: number; readonly event: unknown }
  | { readonly line: number; readonly problem: string };
