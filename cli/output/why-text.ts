import type { WhyAnswer as JobWhy } from "../../src/query/job/explain-job.ts";
import type { RunWhyAnswer } from "../../src/query/runs/explain-run.ts";
import { STATE_COLOURS } from "./job-columns.ts";
import { expectedText } from "../../src/explain/expectation/expected-text.ts";
import { staleText } from "../../src/explain/state-text.ts";
import type { Paint } from "./paint.ts";
import { formatTable } from "./table.ts";
import { terminalText } from "../../src/job/text/terminal-text.ts";

/** An explanation of a Job or of a run. */
export type WhyAnswer = JobWhy | RunWhyAnswer;

/** The answer of `why` for people: the cause in the first line, then its certainty, evidence, and how to fix it. */
export function formatWhy(why: WhyAnswer, paint: Paint): string {
  const parts = [
    answerAndHeading(why, paint),
    boundText(why),
    details(why),
    terminalText(expectedText(why) ?? ""),
    evidence(why, paint),
    logs(why, paint),
    completeness(why),
    remedies(why, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function answerAndHeading(why: WhyAnswer, paint: Paint): string {
  const { namespace, name, verdict, answer } = why;
  const colour = verdict.state === "Queued" ? undefined : STATE_COLOURS[verdict.state];
  const state = colour === undefined ? verdict.state : paint(colour, verdict.state);
  const basis = verdict.state === "Unknown" ? "not enough evidence" : BASIS_TEXTS[verdict.basis];
  const type = "kind" in why ? why.kind.toLowerCase() : "job";
  const object = `${type}/${terminalText(name)} in ${terminalText(namespace)}`;
  return `${paint("bold", terminalText(answer))}\n${object}: ${state} (${basis})`;
}

const BASIS_TEXTS = {
  reported: "reported by Kubernetes",
  observed: "derived from the facts, not reported by Kubernetes",
  both: "derived from the facts; Kubernetes reports the same",
} as const satisfies Record<WhyAnswer["verdict"]["basis"], string>;

function details({ details: lines = [] }: Partial<Pick<WhyAnswer, "details">>): string {
  return lines.map((line) => `  - ${terminalText(line)}`).join("\n");
}

function evidence({ chain, omitted }: WhyAnswer, paint: Paint): string {
  if (chain.length === 0) return "";
  const table = formatTable(
    chain,
    [
      { header: "TIME", cell: ({ time }) => time },
      { header: "RESOURCEVERSION", cell: ({ resourceVersion }) => resourceVersion },
      { header: "OBJECT", cell: ({ object }) => object },
      { header: "WHAT HAPPENED", cell: ({ sentence }) => sentence },
    ],
    { headers: true, wide: false, paint },
  ).trimEnd();
  if (omitted.count === 0 && !omitted.atLeast) return table;
  return `${table}\n... and ${moreText(omitted)}: outlive history lists all.`;
}

function moreText({ count, atLeast }: WhyAnswer["omitted"]): string {
  if (count === 0) return "more of the same";
  return `${atLeast ? "at least " : ""}${count} more ${count === 1 ? "fact" : "facts"}`;
}

function logs({ logs: links = [] }: WhyAnswer, paint: Paint): string {
  if (links.length === 0) return "";
  const lines = links.map(({ pod, container, name, url }) => {
    const what = container === undefined ? pod : `${pod}, container ${container}`;
    return `  - ${terminalText(what)} (${terminalText(name)}): ${terminalText(url)}`;
  });
  return `${paint("bold", "Logs")}\n${lines.join("\n")}`;
}

function completeness({ cluster, completeness: { level, gaps, heardAt } }: WhyAnswer): string {
  if (level === "complete") return "";
  if (level === "stale") {
    return staleText([{ cluster, completeness: { level, gaps, ...(heardAt !== undefined && { heardAt }) } }]) ?? "";
  }
  const times = gaps.map((gap) => `  ${timesOf(gap)}${terminalText(gap.reason)}`).join("\n");
  const meaning =
    level === "reconciled"
      ? "There are monitoring gaps. The counters of the Job agree with the observed facts"
      : "There are monitoring gaps. Facts from these times may be missing";
  return gaps.length === 0 ? `${meaning}.` : `${meaning}:\n${times}`;
}

function boundText(why: WhyAnswer): string {
  const asOf = "asOf" in why ? why.asOf : undefined;
  if (asOf?.bound === undefined) return "";
  return `The arrival times of some facts are unknown: this state may have become true later than ${asOf.time}.`;
}

/** Not every gap has known times: an object that was never observed was missed at an unknown time. */
function timesOf({ from, to }: { readonly from?: string; readonly to?: string }): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to}: `;
  if (from !== undefined) return `since ${from}: `;
  return to === undefined ? "" : `until ${to}: `;
}

function remedies({ remedies: advice }: WhyAnswer, paint: Paint): string {
  if (advice.length === 0) return "";
  return `${paint("bold", "How to fix it")}\n${advice.map((line) => `  - ${line}`).join("\n")}`;
}
