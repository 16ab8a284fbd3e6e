/** What was found at one place of a recording: `event` is for `translate`; `problem` is a sentence. */
export type Recorded =
  | { readonly line: number; readonly event: unknown }
  | { readonly line: number; readonly problem: string };
