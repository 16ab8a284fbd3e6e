/** 0: done; 1: condition not met, or not found; 2: usage error, or server unreachable; 3: unknown. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** Ends a command with a message that says what to do, and with an exit status. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitStatus: ExitStatus;
  constructor(exitStatus: ExitStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}
