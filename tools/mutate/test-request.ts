/** Run one test file, with one file changed. */
export interface TestRequest {
  readonly test: string;
  readonly mutant?: { readonly file: string; readonly source: string };
}

export interface TestReply {
  /** `ready` once, when the process has started. */
  readonly outcome: "ready" | "passed" | "failed" | "skipped";
}
