/** A source file with a change. */
export interface ChangedFile {
  readonly file: string;
  readonly source: string;
}

/** Run one test file, with one file changed. */
export interface TestRequest {
  readonly test: string;
  readonly mutant?: ChangedFile;
}

/** Run one test file once for each of several changes, in one process. */
export interface BatchRequest {
  readonly test: string;
  readonly mutants: readonly ChangedFile[];
}

export interface TestReply {
  /** `ready` once, when the process has started. */
  readonly outcome: "ready" | "passed" | "failed" | "skipped";
}

export interface BatchReply {
  /** One outcome for each change; absent if the changes cannot be tested together. */
  readonly outcomes?: readonly TestReply["outcome"][];
}
