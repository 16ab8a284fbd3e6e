import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { compareText } from "../../job/model/compare-text.ts";
import { sentence } from "../../job/text/sentence.ts";
import { durationText } from "../../job/text/duration-text.ts";
import type { ParentObserved } from "../../job/model/fact.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import type { Seen } from "../../parents/status/watched-status.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import type { ChainEntry, Why } from "../answer-document.ts";
import { MAX_CHAIN } from "../why-pods.ts";
import type { DescribedRun } from "./answer-run.ts";
import { attemptSentences, fullFailureText } from "./attempt-text.ts";
import { queueSentences } from "./queue-text.ts";
import { runHeadline } from "./run-headline.ts";

/** What `why` says about the Job of a run that explains it best. */
export interface ExplainedJob {
  readonly name: string;
  readonly why: Why;
}

/** The Job that explains a run: that of its first failure, or that which it waits for. */
export function explainingJob({
  read,
  answer,
}: DescribedRun): { readonly uid: string; readonly name: string } | undefined {
  const last = read.derived.attempts.at(-1);
  const { waiting } = answer;
  const job = last?.failed ?? last?.jobs.findLast(({ name }) => name === waiting?.job);
  return job && { uid: job.uid, name: job.name };
}

/** Explains a run. `job` is what is known about {@link explainingJob}. */
export function explainRun(run: DescribedRun, now: Instant, job?: ExplainedJob): Why {
  const { chain = [], omitted = NOTHING_OMITTED, remedies = [], logs } = job?.why ?? {};
  const entries = [...chainOf(run), ...chain];
  const all = [...new Map(entries.map((entry) => [keyOf(entry), entry] as const)).values()];
  const shown = all.slice(0, MAX_CHAIN).sort((a, b) => compareText(a.time, b.time));
  return {
    answer: runHeadline(run),
    details: detailsOf(run, now, job),
    chain: shown,
    omitted: { ...omitted, count: omitted.count + all.length - shown.length },
    remedies,
    ...(logs !== undefined && { logs }),
  };
}

const NOTHING_OMITTED: Why["omitted"] = { count: 0, atLeast: false };

function keyOf({ kind, resourceVersion, object }: ChainEntry): string {
  return `${kind}/${resourceVersion}/${object}`;
}

/** Sentences about what the headline leaves out, the most important first. */
function detailsOf(run: DescribedRun, now: Instant, job: ExplainedJob | undefined): readonly string[] {
  const { read, answer } = run;
  const { identity, derived, own } = read;
  const lines = [
    ...decisionLines(run),
    ...(job === undefined ? [] : [`Job ${job.name}: ${job.why.answer}`]),
    ...attemptSentences(identity.name, derived.attempts, own.jobs),
    ...(answer.queue === undefined ? [] : queueSentences(answer.queue, now)),
    ...(answer.findings.length === 0 ? reportLines(run) : answer.findings.map(({ message }) => message)),
    ...podLines(run),
  ];
  return [...new Set(lines.map(sentence))];
}

/** The first failed Pod of the attempt that decided. */
function decisionLines({ read: { derived, own } }: DescribedRun): readonly string[] {
  const last = derived.attempts.at(-1);
  const failed = last?.failed;
  if (last === undefined || failed === undefined) return [];
  const { pod, at = failed.failedAt } = failed.firstFailure ?? {};
  const who = pod === undefined ? `Job ${failed.name}` : `Pod ${pod} of Job ${failed.name}`;
  const how = fullFailureText(failed, own.jobs.get(failed.uid)?.cause);
  return [`the first failure of attempt ${last.number}: ${who} ${how}${timeText(at, last.startedAt)}`];
}

function timeText(at: Instant | undefined, startedAt: Instant | undefined): string {
  if (at === undefined) return "";
  const spent = startedAt === undefined ? "" : `, ${durationText(at - startedAt)} after it began`;
  return ` at ${formatInstant(at)}${spent}`;
}

/** Reported and observed, side by side, where they differ and no finding says so. */
function reportLines({ read, answer: { kind, name, verdict } }: DescribedRun): readonly string[] {
  const { observed } = read.derived;
  const since = verdict.since === undefined ? "" : ` since ${verdict.since}`;
  const reason = verdict.reason === undefined ? "" : ` (${verdict.reason})`;
  if (verdict.basis === "observed") {
    const follows = verdict.final ? "is that of its launcher" : "follows from its Jobs and Pods, and may change";
    return [`${kind} ${name} itself was not observed: the state ${follows}`];
  }
  // Failed Pods without a Job may have been tried again.
  if (verdict.basis === "both" || observed === "Unknown" || read.own.jobs.size === 0) return [];
  if (verdict.state !== "Complete" && verdict.state !== "Failed") return [];
  return [`reported: ${verdict.state}${reason}${since}; observed by its Jobs and Pods: ${observed}`];
}

/** Its Pods are left out by a setting, not because none was observed. */
function podLines({ read: { own }, answer: { kind } }: DescribedRun): readonly string[] {
  const isLeftOut = own.jobs.size === 0 && own.pods === undefined && statusOf(kind)?.startsPods === true;
  return isLeftOut
    ? [`the Pods of a ${kind} have no Job: \`outlive fold --pod-runs ${kind}\` shows those of a recording`]
    : [];
}

/** What its objects showed, oldest first: creation, each restart, the last state, deletion. */
function chainOf({ read: { own, derived }, answer: { deletedBy } }: DescribedRun): readonly ChainEntry[] {
  const failed = derived.attempts.at(-1)?.failed;
  const cause = failed && own.jobs.get(failed.uid)?.cause;
  const evidence = [...((cause ?? own.pods?.cause)?.evidence ?? []), ...(deletedBy?.evidence ?? [])];
  return [
    ...[...own.parents.values()].flatMap(entriesOf),
    ...evidence.map(({ kind, time, resourceVersion, object = "", detail = "" }) => ({
      kind,
      time,
      resourceVersion,
      object,
      sentence: sentence(detail),
    })),
  ];
}

function entriesOf({ first, last, deleted, attempts }: ParentRecord): readonly ChainEntry[] {
  if (first === undefined) return [];
  const object = `${first.of.toLowerCase()}/${first.name}`;
  const entry = (seen: Seen, kind: string, text: string): ChainEntry => ({
    time: formatInstant(seen.at),
    resourceVersion: String(seen.resourceVersion),
    kind,
    object,
    sentence: sentence(text),
  });
  const restarts = [...attempts.values()].filter(({ first: seen }) => seen.at > first.at).map((one) => one.first);
  return [
    { ...entry(first, "ParentObserved", "was created"), time: formatInstant(first.createdAt) },
    ...restarts.map((seen) => entry(seen, "ParentObserved", "started its Jobs again")),
    ...(last === undefined || last.resourceVersion === first.resourceVersion
      ? []
      : [entry(last, "ParentObserved", stateText(last))]),
    ...(deleted === undefined
      ? []
      : [entry({ ...deleted, fields: {}, conditions: [] }, "ParentDeleted", "was removed from the cluster")]),
  ];
}

/** The conditions of an object that are true. */
function stateText({ conditions }: Pick<ParentObserved, "conditions">): string {
  const held = conditions.filter(({ status }) => status === "True");
  const texts = held.map(({ type, reason }) =>
    reason === undefined || reason === type ? type : `${type} (${reason})`,
  );
  return texts.length === 0 ? "was observed last" : `reported last: ${texts.join(", ")}`;
}
