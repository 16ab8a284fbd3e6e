import { errorMessage } from "../text/error-message.ts";

/** The spool's folder cannot be used. */
export class SpoolBrokenError extends Error {
  override readonly name = "SpoolBrokenError";
  constructor(folder: string, cause: unknown) {
    const said = errorMessage(cause);
    super(
      `The spool in ${folder} cannot be used (${said}): give it a folder of its own that may be written and a disk with room.`,
      {
        cause,
      },
    );
  }
}
