import { ApiError, NotFoundError } from "../../src/host/client/api-error.ts";
import { CommandFailure, type ExitStatus } from "../../src/host/command-line/command-failure.ts";

const TOKEN_HINT = "Set it with --token or OUTLIVE_TOKEN.";

/** The exit status for an error that ends a command. As in kubectl, an unknown object is status 1. */
export function exitStatusOf(error: unknown): ExitStatus {
  if (error instanceof CommandFailure) return error.exitStatus;
  return error instanceof NotFoundError ? 1 : 2;
}

/** Names the option for a token where an API asks for one: the API itself does not know who calls it. */
export function withOptionHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401 || error.message.includes("--")) return error;
  return new ApiError(`${error.message} ${TOKEN_HINT}`, { cause: error, status: 401 });
}
