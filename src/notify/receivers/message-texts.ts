import { list } from "../../job/text/sentence.ts";
import type { Notification } from "../notification.ts";

/** `cluster/namespace/name`; of a cluster, its name. */
export function placeOf({ subject: { kind, cluster, namespace, name } }: Notification): string {
  return kind === "Cluster" ? cluster : [cluster, namespace, name].join("/");
}

/** What a message is about: "Job prod-eu/payments/charge-1". */
export function subjectText(notification: Notification): string {
  return `${notification.subject.kind} ${placeOf(notification)}`;
}

/** What a message for programs is about, in one line: "opened: Failed: ...". */
export function changeText({ kind, headline }: Notification): string {
  return `${kind}: ${headline}`;
}

/** The most findings that a message for people describes. It names the kinds of the others. */
const MAX_DESCRIBED = 5;

/**
 * The findings in lines for people: those for which the rule matches, without what the headline says already, and the
 * kinds of all others.
 */
export function findingLines({ headline, findings, findingsBeyond = 0 }: Notification): readonly string[] {
  const matched = findings.filter((one) => one.matched);
  const described: string[] = [];
  let said = headline;
  for (const { kind, message } of matched.slice(0, MAX_DESCRIBED)) {
    const more = unsaid(message, said);
    if (more === "") continue;
    described.push(`${kind}: ${more}`);
    said += ` ${more}`;
  }
  const others = [...matched.slice(MAX_DESCRIBED), ...findings.filter((one) => !one.matched)].map(({ kind }) => kind);
  const kinds = [...new Set(others)];
  if (kinds.length === 0) return described;
  return [...described, `Other findings: ${list(kinds, MAX_DESCRIBED, kinds.length + findingsBeyond)}.`];
}

/** The clauses of a text that another one does not contain. */
function unsaid(message: string, said: string): string {
  const known = said.toLowerCase();
  const clauses = message.split(/(?<=;) /);
  return clauses
    .filter((clause) => !known.includes(clause.replace(/[;.…]$/, "").toLowerCase()))
    .join(" ")
    .replace(/;$/, ".");
}
