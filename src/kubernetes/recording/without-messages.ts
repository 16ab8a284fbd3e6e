import type { Fact, PodCondition } from "../../job/model/fact.ts";
import type { Condition } from "../../job/model/reported-status.ts";
import { keptConditionMessage, keptMessage } from "../message/kept-message.ts";
import { DEFAULT_OPTIONS } from "../translate/translated.ts";

/**
 * The fact as it is translated today without `--include-messages`: with details in place of the text of messages.
 * Returns the fact itself if it has no text.
 */
export function withoutMessages(fact: Fact): Fact {
  if (fact.kind === "EventHinted" || fact.kind === "ContainerEnded") return withoutText(fact);
  if (fact.kind === "PodObserved") return withoutWaitingTexts(fact);
  if (fact.kind === "PodTerminated") {
    const conditions = mapped(fact.conditions, withoutMessage);
    const rest = withoutText(fact);
    return conditions === fact.conditions ? rest : { ...rest, conditions };
  }
  return fact.kind === "PodDisrupted" ? withoutMessage(fact) : withoutMessagesOfJob(fact);
}

function withoutWaitingTexts(fact: Extract<Fact, { readonly kind: "PodObserved" }>): Fact {
  const { waiting, unscheduled } = fact;
  if (waiting?.message === undefined && unscheduled?.message === undefined) return fact;
  return {
    ...fact,
    ...(waiting && { waiting: withoutText(waiting) }),
    ...(unscheduled && { unscheduled: withoutText(unscheduled) }),
  };
}

function withoutMessagesOfJob(fact: Fact): Fact {
  if (fact.kind === "JobFinished") {
    const condition = withoutForeignText(fact.condition);
    return condition === fact.condition ? fact : { ...fact, condition };
  }
  if (fact.kind !== "JobReported") return fact;
  const conditions = mapped(fact.status.conditions, withoutForeignText);
  return conditions === fact.status.conditions ? fact : { ...fact, status: { ...fact.status, conditions } };
}

type WithText = Extract<Fact, { readonly kind: "EventHinted" | "ContainerEnded" | "PodTerminated" }>;
type PartWithText = NonNullable<Extract<Fact, { readonly kind: "PodObserved" }>["waiting" | "unscheduled"]>;

function withoutText<Part extends WithText | PartWithText>(part: Part): Part {
  const { message, ...rest } = part;
  if (message === undefined) return part;
  const { reason, details } = part;
  return { ...rest, ...keptMessage({ reason, message, details }, DEFAULT_OPTIONS) } as unknown as Part;
}

function withoutMessage<Part extends PodCondition | Extract<Fact, { readonly kind: "PodDisrupted" }>>(
  part: Part,
): Part {
  const { message, ...rest } = part;
  return message === undefined ? part : (rest as unknown as Part);
}

/** The Job controller's own words stay. */
function withoutForeignText(condition: Condition): Condition {
  const { message, ...rest } = condition;
  return message === undefined || keptConditionMessage(message, DEFAULT_OPTIONS) !== undefined ? condition : rest;
}

/** The list itself if no item changed. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}
