/** What the exit status says: 0 done, 1 the answer is no, 2 usage or unreachable, 3 not decidable. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** Ends a command with one sentence that says what to do; `main.ts` prints it and sets the exit status. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitStatus: ExitStatus;
  constructor(exitStatus: ExitStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}
