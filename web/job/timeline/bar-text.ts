import type { Attempt } from "../../../src/explain/answer-document.ts";
import { localTime, millisOf } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import { endOf, ranFor } from "../attempt-end.ts";
import { attributionText } from "../attribution-text.ts";

/** One Pod, as text. */
export function attemptText(attempt: Attempt): string {
  const end = endOf(attempt);
  const node = attempt.node === undefined ? "" : ` on ${shownText(attempt.node)}`;
  const deletedAt = millisOf(attempt.deletedAt);
  const parts = [
    `${shownText(attempt.name)}: ${attempt.outcome}${end === "" ? "" : ` (${end})`}`,
    `created ${localTime(millisOf(attempt.createdAt) ?? 0)}, ran ${ranFor(attempt)}${node}`,
    attempt.restarts > 0 ? plural(attempt.restarts, "restart") : undefined,
    deletedAt === undefined ? undefined : deletionText(attempt, deletedAt),
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}

function deletionText({ deletedBy }: Attempt, deletedAt: number): string {
  const time = localTime(deletedAt);
  if (deletedBy === undefined) return `deleted ${time}, by an unknown actor`;
  return `deleted ${time} by ${attributionText(deletedBy)}: ${shownText(deletedBy.cause)}`;
}
