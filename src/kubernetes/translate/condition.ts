import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { cutText } from "./bounds.ts";
import { fieldsOf, itemsOf, textOf } from "../json/json-field.ts";
import { reasonOf } from "../message/reason.ts";

/** An entry of `status.conditions` of any kind of object. The message is not truncated yet. */
export interface RawCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** Recordings contain details in place of the message. */
  readonly details: unknown;
  readonly lastTransitionAt: Instant | undefined;
}

/** The conditions that have a type and a status, in order. */
export function readConditions(status: Readonly<Record<string, unknown>>): readonly RawCondition[] {
  const conditions: RawCondition[] = [];
  for (const item of itemsOf(status["conditions"])) {
    const fields = fieldsOf(item);
    const type = textOf(fields["type"]);
    const conditionStatus = textOf(fields["status"]);
    if (type === undefined || conditionStatus === undefined) continue;
    conditions.push({
      type: cutText(type),
      status: cutText(conditionStatus),
      reason: reasonOf(fields["reason"]),
      message: textOf(fields["message"]),
      details: fields["details"],
      lastTransitionAt: parseInstant(fields["lastTransitionTime"]),
    });
  }
  return conditions;
}

export function latestTransition(conditions: readonly RawCondition[]): Instant {
  let latest = 0;
  for (const { lastTransitionAt } of conditions) {
    if (lastTransitionAt !== undefined && lastTransitionAt > latest) latest = lastTransitionAt;
  }
  return latest;
}
