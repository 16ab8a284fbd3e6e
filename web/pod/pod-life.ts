import type { Attempt, ContainerRun, Gap } from "../../src/explain/answer-document.ts";
import { type Bar, barOf, axisOf, namedGroup, type Timeline } from "../job/timeline/timeline.ts";
import { localTime, millisOf } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

/** A Pod in one sentence: its outcome, why, and how Kubernetes counted it. */
export function podSentence({ outcome, cause, index, countedAs, message }: Attempt): string {
  const which = index === undefined ? outcome : `${outcome}, of index ${index}`;
  const why = cause ?? (outcome === "Failed" ? message : undefined);
  const parts = [why === undefined ? which : `${which}: ${why}`, countedText(countedAs)];
  return `${parts.filter((part) => part !== undefined).join("; ")}.`;
}

function countedText(countedAs: Attempt["countedAs"]): string | undefined {
  switch (countedAs) {
    case "succeeded":
      return "counted as a success";
    case "failed":
      return "counted as a failure";
    case "ignored":
      return "not counted, because a rule of podFailurePolicy ignores it";
    case "void":
      return "not counted";
    case undefined:
      return undefined;
  }
}

/** One step of a Pod's life, and how long after the step before. */
export interface LifeStep {
  readonly text: string;
  readonly at: string;
  readonly after: string | undefined;
}

/** When a Pod was created, scheduled, started, ended and deleted, as far as it is known. */
export function lifeOf(attempt: Attempt): readonly LifeStep[] {
  const { createdAt, scheduledAt, startedAt, finishedAt, deletedAt } = attempt;
  const steps = [
    { text: "Created", at: createdAt },
    { text: "Scheduled", at: scheduledAt },
    { text: "Started", at: startedAt },
    { text: "Ended", at: finishedAt },
    { text: "Deleted", at: deletedAt },
  ].flatMap(({ text, at }) => (at === undefined ? [] : [{ text, at }]));
  return steps.map(({ text, at }, index) => ({ text, at, after: spanBetween(steps[index - 1]?.at, at) }));
}

function spanBetween(before: string | undefined, at: string | undefined): string | undefined {
  const [from, to] = [millisOf(before), millisOf(at)];
  return from === undefined || to === undefined || to < from ? undefined : spanText(to - from);
}

/** How long one run of a container took; `undefined` if its start or its end is not known. */
export function runSpan({ startedAt, finishedAt }: ContainerRun): string | undefined {
  return spanBetween(startedAt, finishedAt);
}

/** The gaps that overlap with the life of a Pod. A Pod that was not deleted lives on. */
export function gapsDuring<G extends Gap>(gaps: readonly G[], { createdAt, deletedAt }: Attempt): readonly G[] {
  const [from = 0, to = Number.POSITIVE_INFINITY] = [millisOf(createdAt), millisOf(deletedAt)];
  return gaps.filter((gap) => (millisOf(gap.to) ?? Number.POSITIVE_INFINITY) > from && (millisOf(gap.from) ?? 0) < to);
}

/** A Pod, and below it each run of its containers that has ended, on one axis. */
export function layOutPod(attempt: Attempt, ends: readonly (number | undefined)[]): Timeline {
  const bars = [barOf(attempt), ...attempt.containers.flatMap(barOfRun)];
  return { ...axisOf(bars, () => ends), groups: [namedGroup("", bars)] };
}

function barOfRun(run: ContainerRun): readonly Bar[] {
  const { name, exitCode, reason = "", startedAt, finishedAt, restartCount } = run;
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  if (from === undefined) return [];
  const runText = restartCount === 0 ? "" : ` (restart ${restartCount})`;
  const end = to === undefined ? "" : `, ended ${localTime(to)}`;
  return [
    {
      uid: `${name} ${restartCount}`,
      name: `└ ${name}${runText}`,
      outcome: exitCode === 0 ? "Succeeded" : "Failed",
      describe: () =>
        shownText(`${name}${runText}: exit code ${exitCode ?? "unknown"} ${reason}; started ${localTime(from)}${end}`),
      createdAt: from,
      startedAt: from,
      endedAt: to,
      deletedAt: undefined,
      restartedAt: [],
      lane: 0,
    },
  ];
}
