import type { SendResult } from "../../ports/message-sender.ts";

/** Errors about the content of a message: AWS will not accept it later either. */
const CONTENT_ERRORS: ReadonlySet<string> = new Set([
  "InvalidArgument",
  "InvalidParameter",
  "InvalidParameterException",
  "InvalidParameterValue",
  "InvalidParameterValueException",
  "MalformedDetail",
  "ValidationError",
  "ValidationException",
]);

const MAX_PROBLEM = 300;

/**
 * The result of a message that EventBridge or SNS did not accept. Missing topics, missing permissions, throttling and
 * outages can be repaired, so the message is sent again.
 */
export function unsentMessage(code: string, said: string): SendResult {
  const text = said === "" ? code : `${code}: ${said}`;
  const problem = text.length <= MAX_PROBLEM ? text : `${text.slice(0, MAX_PROBLEM - 1)}…`;
  return CONTENT_ERRORS.has(code) ? { outcome: "rejected", status: 400, problem } : { outcome: "unreachable", problem };
}

export function unsentBecause(cause: unknown): SendResult {
  return cause instanceof Error ? unsentMessage(cause.name, cause.message) : unsentMessage("Error", String(cause));
}
