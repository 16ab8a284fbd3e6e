import { GivenUpError } from "../connection/request-attempt.ts";
import { ConnectionError } from "../connection/connection-error.ts";
import { CutListError } from "./list-page.ts";
import { ResponseProblem } from "../connection/response-problem.ts";
import { BrokenWatchError, ExpiredError } from "./watch-error.ts";

/** The kind of request to the API server. */
export type RequestKind = "discovery" | "probe" | "pages" | "streamingList" | "watch";

/** What to do after a failed request. */
export type ErrorRecovery =
  /** The response is no longer needed, or the next round requests it in another way. */
  | { readonly kind: "restart" }
  /** The accepted watch was idle. It is opened again: the response shows whether events were missed. */
  | { readonly kind: "reopen" }
  /** The server no longer has the changes after the watch cursor. A list starts a new stream. */
  | { readonly kind: "relist"; readonly error: Error }
  /** The error is temporary, or an operator must fix it. The request is repeated later. */
  | { readonly kind: "retry"; readonly error: Error }
  /**
   * As `retry`, but a watch that fails repeatedly at one resourceVersion cannot continue from there and is replaced by
   * a list.
   */
  | { readonly kind: "retryBroken"; readonly error: Error }
  /** As `retry`, with an older version of the API. */
  | { readonly kind: "retryOtherVersion"; readonly error: Error }
  /** As `retry`. Access stays denied until an operator grants it. */
  | { readonly kind: "retryForbidden"; readonly error: Error }
  /** Another error: a defect, or another cluster. */
  | { readonly kind: "none" };

/** `server` is for messages. */
export function recoveryFor(error: unknown, request: RequestKind, server: string): ErrorRecovery {
  if (error instanceof GivenUpError) return recoveryForGivenUp(error, request, server);
  if (isExpired(error) && request !== "probe") return { kind: "relist", error };
  if (error instanceof BrokenWatchError) return { kind: "retryBroken", error };
  if (error instanceof ResponseProblem) return recoveryForResponse(error, request);
  if (error instanceof ConnectionError || error instanceof CutListError) return { kind: "retry", error };
  return { kind: "none" };
}

function recoveryForGivenUp({ reason }: GivenUpError, request: RequestKind, server: string): ErrorRecovery {
  switch (reason) {
    case "stopped":
    case "superseded":
      return { kind: "restart" };
    case "unanswered":
      return {
        kind: "retry",
        error: new ConnectionError(`${server} accepted a request and sent no response in time.`),
      };
    case "idle":
      if (request === "watch") return { kind: "reopen" };
      return { kind: "retry", error: new ConnectionError(`${server} stopped sending in the middle of a response.`) };
  }
}

function recoveryForResponse(error: ResponseProblem, request: RequestKind): ErrorRecovery {
  if (request === "streamingList" && isUnknownParameter(error)) return { kind: "restart" };
  if (error.status === 404) return { kind: "retryOtherVersion", error };
  return { kind: error.status === 403 ? "retryForbidden" : "retry", error };
}

/**
 * Whether a failed request suggests that the server does not support streaming lists. Then paged lists are used, which
 * all servers support.
 */
export type StreamDoubt =
  | "none"
  /** Streaming may be the cause. */
  | "some"
  /** The server does not support them. */
  | "certain";

export function doubtOfStreams(error: unknown, request: RequestKind): StreamDoubt {
  if (request !== "streamingList") return "none";
  if (error instanceof ResponseProblem && isUnknownParameter(error)) return "certain";
  // A server that ignores the parameter starts a plain watch, which never marks the end of the list.
  if (error instanceof GivenUpError) return error.reason === "idle" ? "certain" : "none";
  if (isExpired(error) || error instanceof BrokenWatchError) return "some";
  return error instanceof ResponseProblem && error.status >= 500 ? "some" : "none";
}

/** Servers without streaming lists answer `sendInitialEvents` with status 400 or 422. */
function isUnknownParameter({ status }: ResponseProblem): boolean {
  return status === 400 || status === 422;
}

function isExpired(error: unknown): error is ExpiredError | ResponseProblem {
  return error instanceof ExpiredError || (error instanceof ResponseProblem && error.status === 410);
}
