import { isObject, type JsonObject } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";
import type { Recorded } from "../json/recorded.ts";

/**
 * The event in the message of a CloudWatch Logs event. Every other result is returned unchanged: a Kubernetes object
 * has no numeric `timestamp` beside its `message`.
 */
export function withoutLogEvent(recorded: Recorded): Recorded {
  if (!("event" in recorded) || !isLogEvent(recorded.event)) return recorded;
  const { line, event } = recorded;
  const object = parseObject(event.message);
  return object === undefined ? { line, problem: NO_OBJECT } : { line, event: object };
}

const NO_OBJECT =
  "The message of the log event is not a JSON object. Export the log streams kube-apiserver-audit-* only.";

function isLogEvent(event: unknown): event is JsonObject & { readonly message: string } {
  if (!isObject(event) || "kind" in event || "object" in event) return false;
  return typeof event["message"] === "string" && typeof event["timestamp"] === "number";
}

/** An export task of CloudWatch Logs writes the time of each event before it. */
const TIME_BEFORE_OBJECT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z (?=\{)/;
const MAX_TIME_BYTES = 40;

/** A line without the time that an export task of CloudWatch Logs wrote before the object. */
export function withoutTime(line: Buffer): Buffer {
  const first = line[0] ?? 0;
  if (first < 0x30 || first > 0x39) return line;
  const [time] = TIME_BEFORE_OBJECT.exec(line.toString("latin1", 0, MAX_TIME_BYTES)) ?? [];
  return time === undefined ? line : line.subarray(time.length);
}
