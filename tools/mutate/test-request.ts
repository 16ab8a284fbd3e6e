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

/** Run test files in one process, each of them once for each of its changes. */
export interface BatchRequest {
  readonly mutants: readonly ChangedFile[];
  readonly tests: readonly BatchTest[];
}

export interface BatchTest {
  readonly test: string;
  /** Places in the list of the changes. */
  readonly mutants: readonly number[];
}

export interface TestReply {
  /** `ready` once, when the process has started. */
  readonly outcome: "ready" | "passed" | "failed" | "skipped";
}

export interface BatchReply {
  /** One list for each test, with one outcome for each of its changes; `null`: they cannot be tested together. */
  readonly outcomes: readonly (readonly TestReply["outcome"][] | null)[];
}
