import type { Attempt } from "../../../src/explain/answer-document.ts";
import { localText, localTime } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import { endOf, ranFor } from "../attempt-end.ts";
import { attributionText } from "../attribution-text.ts";
import type { Picture } from "./picture.ts";
import type { Bar } from "./timeline.ts";

/** The text alternative of a drawing. */
export function pictureText({ group, from, to }: Picture): string {
  const outcomes = Map.groupBy(group.bars, ({ attempt }) => attempt.outcome);
  const counts = [...outcomes].map(([outcome, bars]) => `${bars.length} ${outcome}`).join(", ");
  const deleted = group.bars.filter(({ deletedAt }) => deletedAt !== undefined).length;
  const deletions = deleted === 0 ? "" : `; ${deleted} deleted`;
  const pods = plural(group.bars.length, "Pod");
  const span = `from ${localText(from)} to ${localText(to)}`;
  return `${pods} ${span}: ${counts}${deletions}. The table of Pods lists each of them.`;
}

/** One Pod, as text. */
export function barText({ attempt, createdAt, deletedAt }: Bar): string {
  const end = endOf(attempt);
  const node = attempt.node === undefined ? "" : ` on ${shownText(attempt.node)}`;
  const parts = [
    `${shownText(attempt.name)}: ${attempt.outcome}${end === "" ? "" : ` (${end})`}`,
    `created ${localTime(createdAt)}, ran ${ranFor(attempt)}${node}`,
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
