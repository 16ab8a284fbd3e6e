import { fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";

/**
 * The reasons of Events of type `Normal` that are kept, as `Reason` or as `Kind/Reason` for Events about one kind of
 * object. Events of other types (`Warning`) are always kept. `*` keeps everything.
 */
export type EventReasons = ReadonlySet<string>;

/**
 * The normal Events that can change an answer (docs/exporter.md). The others repeat what the objects themselves show,
 * and are nine of ten Events of a plain Job: Scheduled, Pulling, Pulled, Created, Started, SuccessfulCreate, Completed.
 */
export const DEFAULT_EVENT_REASONS: EventReasons = new Set([
  // Why a container or a Pod was ended (kubelet, scheduler, taint manager).
  "Killing",
  "Preempted",
  "Evicted",
  "TaintManagerEviction",
  "DeadlineExceeded",
  "NodeNotReady",
  "FailedScheduling",
  // Who deleted a Pod: the Job controller. The CronJob controller reports deleted Jobs with the same reason.
  "Job/SuccessfulDelete",
  // Whether a Job waits (Job controller), and that it waits for Kueue.
  "Suspended",
  "Resumed",
  "Job/CreatedWorkload",
]);

const EVERYTHING = "*";

/** Whether an Event (core/v1 or events.k8s.io) is kept: it is a warning, or its reason is in the list. */
export function explainsSomething(event: JsonObject, reasons: EventReasons): boolean {
  if (reasons.has(EVERYTHING) || textOf(event["type"]) !== "Normal") return true;
  const reason = textOf(event["reason"]) ?? "";
  const object = isObject(event["involvedObject"]) ? event["involvedObject"] : fieldsOf(event["regarding"]);
  return reasons.has(reason) || reasons.has(`${textOf(object["kind"]) ?? ""}/${reason}`);
}

/** Reads a list such as `Killing,Job/SuccessfulDelete`; `undefined` if an entry is not a reason. */
export function readEventReasons(text: string): EventReasons | undefined {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  return entries.every(isReasonEntry) ? new Set(entries) : undefined;
}

function isReasonEntry(entry: string): boolean {
  return entry === EVERYTHING || /^([A-Za-z]{1,64}\/)?[A-Za-z0-9]{1,128}$/.test(entry);
}
