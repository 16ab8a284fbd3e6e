import { errorMessage } from "../../job/text/error-message.ts";

/** The spool's folder is unusable. */
export class SpoolBrokenError extends Error {
  override readonly name = "SpoolBrokenError";
  constructor(folder: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(`Cannot use the spool in ${folder}: ${reason}. Use a writable folder of its own on a disk with free space.`, {
      cause,
    });
  }
}
