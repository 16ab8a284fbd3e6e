import { decodePodUid, type PodUid } from "../../job/model/ids.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { Condition, ReportedStatus, UncountedPods } from "../../job/model/reported-status.ts";
import { cutText, MAX_CONDITIONS, MAX_INDEX_SET_BYTES, MAX_UNCOUNTED } from "./bounds.ts";
import type { RawCondition } from "./condition.ts";
import { countOf, isObject, itemsOf, type JsonObject } from "../json/json-field.ts";
import { parsePolicyMessage } from "../message/policy-message.ts";
import { keptConditionMessage } from "../message/kept-message.ts";
import type { TranslateOptions } from "./translated.ts";

const COUNTERS = ["active", "ready", "terminating", "succeeded", "failed"] as const;
const INDEX_SETS = ["completedIndexes", "failedIndexes"] as const;
const TIMES = ["startTime", "completionTime"] as const;
/** The conditions that determine a Job's state. If there are too many conditions, these are kept. */
const DECIDING_CONDITIONS = new Set(["Complete", "Failed", "SuccessCriteriaMet", "FailureTarget", "Suspended"]);

/** The fields of `status` that Kubernetes wrote, truncated to the limits. Absent fields stay absent. */
export function reportedStatusOf(
  status: JsonObject,
  conditions: readonly RawCondition[],
  options: TranslateOptions,
): ReportedStatus {
  const read: { -readonly [Field in keyof ReportedStatus]: ReportedStatus[Field] } = {
    conditions: keptConditions(conditions, options),
  };
  for (const counter of COUNTERS) {
    const count = countOf(status[counter]);
    if (count !== undefined) read[counter] = count;
  }
  for (const time of TIMES) {
    const instant = parseInstant(status[time]);
    if (instant !== undefined) read[time] = instant;
  }
  for (const set of INDEX_SETS) {
    const text = status[set];
    if (typeof text !== "string") continue;
    if (text.length <= MAX_INDEX_SET_BYTES) read[set] = text.toWellFormed();
    else read.truncated = true;
  }
  if (conditions.length > MAX_CONDITIONS) read.truncated = true;
  const uncounted = status["uncountedTerminatedPods"];
  if (isObject(uncounted)) read.uncounted = uncountedOf(uncounted);
  return read;
}

export function keptCondition(condition: RawCondition, options: TranslateOptions): Condition {
  const { type, status, reason, lastTransitionAt } = condition;
  const message = keptConditionMessage(condition.message, options);
  const details = message === undefined ? undefined : parsePolicyMessage(message);
  return {
    type,
    status,
    ...(reason !== undefined && { reason: cutText(reason) }),
    ...(message !== undefined && { message }),
    ...(details !== undefined && { details }),
    ...(lastTransitionAt !== undefined && { lastTransitionAt }),
  };
}

function keptConditions(conditions: readonly RawCondition[], options: TranslateOptions): readonly Condition[] {
  const keep = (condition: RawCondition): Condition => keptCondition(condition, options);
  if (conditions.length <= MAX_CONDITIONS) return conditions.map(keep);
  const deciding = conditions.filter(({ type }) => DECIDING_CONDITIONS.has(type));
  const others = conditions.filter(({ type }) => !DECIDING_CONDITIONS.has(type));
  return [...deciding, ...others].slice(0, MAX_CONDITIONS).map(keep);
}

function uncountedOf(uncounted: JsonObject): UncountedPods {
  const succeeded = uidsOf(uncounted["succeeded"]);
  const failed = uidsOf(uncounted["failed"]);
  return {
    succeeded: succeeded.kept,
    failed: failed.kept,
    ...(succeeded.beyond > 0 && { succeededBeyond: succeeded.beyond }),
    ...(failed.beyond > 0 && { failedBeyond: failed.beyond }),
  };
}

function uidsOf(value: unknown): { readonly kept: readonly PodUid[]; readonly beyond: number } {
  const uids = itemsOf(value).flatMap((item) => decodePodUid(item) ?? []);
  return { kept: uids.slice(0, MAX_UNCOUNTED), beyond: Math.max(0, uids.length - MAX_UNCOUNTED) };
}
