import type { Attempt, Cause } from "../../explain/answer-document.ts";
import type { Attributes } from "./span.ts";

/** A result, as the conventions of CI/CD name it. `unknown` is Outlive's own. */
export type Result = "success" | "failure" | "error" | "timeout" | "cancellation" | "unknown";

interface Ended {
  readonly verdict: { readonly state: string; readonly reason?: string };
  readonly cause?: Pick<Cause, "category" | "responsible" | "retry" | "message"> | undefined;
}

/** The result of a run or a Job. A failure that is the platform's is an `error`: the work is not to blame. */
export function resultOf({ verdict: { state, reason }, cause }: Ended): Result {
  switch (state) {
    case "Complete":
      return "success";
    case "Failed":
      if (reason === "DeadlineExceeded" || cause?.category === "deadline") return "timeout";
      return cause?.responsible === "platform" ? "error" : "failure";
    case "Deleted":
      return "cancellation";
    default:
      return "unknown";
  }
}

/** The state with its cause. A success can have one, too: that of its failed attempts. */
export function stateAttributes(ended: Ended): Attributes {
  const { verdict, cause } = ended;
  return {
    "outlive.state": verdict.state,
    "outlive.reason": verdict.reason,
    "outlive.cause.category": cause?.category,
    "outlive.cause.message": cause?.message,
    "outlive.cause.responsible": cause?.responsible,
    "outlive.cause.retry": cause?.retry,
    "error.type": isError(resultOf(ended)) ? (cause?.category ?? verdict.reason ?? OTHER_ERROR) : undefined,
  };
}

/** Why it failed; `undefined` if it did not fail. */
export function errorOf(ended: Ended): string | undefined {
  if (!isError(resultOf(ended))) return undefined;
  return ended.cause?.message ?? ended.verdict.reason ?? ended.verdict.state;
}

/** The error type of the conventions for an error without a class. */
export const OTHER_ERROR = "_OTHER";

function isError(result: Result): boolean {
  return result === "failure" || result === "error" || result === "timeout";
}

/** The class of a Pod's error. */
export function podErrorType({ outcome, category }: Pick<Attempt, "outcome" | "category">): string | undefined {
  return outcome === "Failed" ? (category ?? OTHER_ERROR) : undefined;
}
