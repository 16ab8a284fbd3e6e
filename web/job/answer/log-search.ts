import type { Attempt } from "../../../src/explain/answer-document.ts";
import { millisOf } from "../../text/instant-text.ts";
import { shellWord } from "../../text/shell-word.ts";

/** The time of a Pod's logs, in milliseconds. It has a minute at both ends, like the links of the API. */
export interface LogWindow {
  readonly from: number;
  readonly to: number;
}

/** From the creation of a Pod to its end, or to the last data from its cluster. */
export function logWindow({ createdAt, finishedAt, deletedAt }: Attempt, heardAt: string): LogWindow {
  const from = millisOf(createdAt) ?? 0;
  const to = millisOf(finishedAt ?? deletedAt ?? heardAt) ?? from;
  return { from: from - MARGIN_MILLIS, to: Math.max(from, to) + MARGIN_MILLIS };
}

/** MARGIN_MILLIS of src/explain/log-links/pod-log-links.ts. */
const MARGIN_MILLIS = 60_000;

/** The container whose run decided: the first that failed; `undefined` if none did. */
export function decisiveContainer({ containers }: Attempt): string | undefined {
  const failed = containers.filter(({ exitCode = 0 }) => exitCode !== 0);
  return failed.toSorted((a, b) => compare(a.finishedAt, b.finishedAt))[0]?.name;
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The command that prints the logs of a Pod; `undefined` if the Pod no longer exists. A container that failed and was
 * started again has the logs of its failure in the previous run.
 */
export function logCommand(attempt: Attempt, namespace: string): string | undefined {
  const { name, outcome, deletedAt } = attempt;
  if (deletedAt !== undefined) return undefined;
  const container = decisiveContainer(attempt);
  const runs = attempt.containers.filter((run) => run.name === container);
  const isRunningAgain = outcome === "Active" && runs.length > 0;
  const words = [
    `kubectl logs ${shellWord(name)} -n ${shellWord(namespace)}`,
    container === undefined ? "--all-containers" : `-c ${shellWord(container)}`,
    ...(isRunningAgain ? ["--previous"] : []),
    "--timestamps",
  ];
  return words.join(" ");
}
