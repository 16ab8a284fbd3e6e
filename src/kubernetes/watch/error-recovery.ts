import { GivenUpError } from "../connection/request-attempt.ts";
import { ConnectionError } from "../connection/connection-error.ts";
import { CutListError } from "./list-page.ts";
import { ResponseProblem } from "../connection/response-problem.ts";
import { BrokenWatchError, ExpiredError } from "./watch-error.ts";

/** What is being asked of the API server. */
export type Asking = "probe" | "pages" | "streamingList" | "watch";

/** What to do about a request that failed. */
export type ErrorRecovery =
  /** Nobody wants the answer any more, or it is to be had otherwise. */
  | { readonly kind: "askAnew" }
  /** The watch was accepted and has brought nothing since: it is opened again, and tells whether there was anything. */
  | { readonly kind: "reopen" }
  /** The server no longer knows what happened since: a list begins another stream. */
  | { readonly kind: "relist" }
  /** It passes, or somebody mends it: the same again, later. */
  | { readonly kind: "retry"; readonly error: Error }
  /** As `retry`; but what breaks at one place again and again is not to be gone on with from there. */
  | { readonly kind: "retryBroken"; readonly error: Error }
  /** As `retry`, with an older version of the API. */
  | { readonly kind: "retryOtherVersion"; readonly error: Error }
  /** As `retry`; meanwhile nobody may look. */
  | { readonly kind: "retryForbidden"; readonly error: Error }
  /** It is none of these: a mistake of ours, or another cluster. */
  | { readonly kind: "none" };

/** `server` is for sentences. */
export function recoveryFor(error: unknown, asking: Asking, server: string): ErrorRecovery {
  if (error instanceof GivenUpError) return remedyForGivenUp(error, asking, server);
  if (isExpired(error) && asking !== "probe") return { kind: "relist" };
  if (error instanceof BrokenWatchError) return { kind: "retryBroken", error };
  if (error instanceof ResponseProblem) return remedyForRefusal(error, asking);
  if (error instanceof ConnectionError || error instanceof CutListError) return { kind: "retry", error };
  return { kind: "none" };
}

function remedyForGivenUp({ reason }: GivenUpError, asking: Asking, server: string): ErrorRecovery {
  switch (reason) {
    case "stopped":
    case "superseded":
      return { kind: "askAnew" };
    case "unanswered":
      return { kind: "retry", error: new ConnectionError(`${server} took a request and did not answer it.`) };
    case "silent":
      if (asking === "watch") return { kind: "reopen" };
      return { kind: "retry", error: new ConnectionError(`${server} stopped in the middle of an answer.`) };
  }
}

function remedyForRefusal(error: ResponseProblem, asking: Asking): ErrorRecovery {
  if (asking === "streamingList" && isUnknownParameter(error)) return { kind: "askAnew" };
  if (error.status === 404) return { kind: "retryOtherVersion", error };
  return { kind: error.status === 403 ? "retryForbidden" : "retry", error };
}

/** How a failed request speaks against streaming lists; pages are older, and do more easily what these have failed at. */
export type StreamDoubt =
  | "none"
  /** Whatever it was, it may be the streaming. */
  | "some"
  /** The server does not know them. */
  | "certain";

export function doubtOfStreams(error: unknown, asking: Asking): StreamDoubt {
  if (asking !== "streamingList") return "none";
  if (error instanceof ResponseProblem && isUnknownParameter(error)) return "certain";
  // A server that ignores what it does not know has begun a plain watch, which tells what there is and never that this was all.
  if (error instanceof GivenUpError) return error.reason === "silent" ? "certain" : "none";
  if (isExpired(error) || error instanceof BrokenWatchError) return "some";
  return error instanceof ResponseProblem && error.status >= 500 ? "some" : "none";
}

/** How servers without streaming lists answer `sendInitialEvents`: it is forbidden, or no such thing. */
function isUnknownParameter({ status }: ResponseProblem): boolean {
  return status === 400 || status === 422;
}

function isExpired(error: unknown): boolean {
  return error instanceof ExpiredError || (error instanceof ResponseProblem && error.status === 410);
}
