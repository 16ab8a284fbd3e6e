import type { Finding, FindingKind, JobAnswer } from "./answer.ts";
import { byWhom } from "./attribution-text.ts";
import { durationText } from "./duration-text.ts";
import { finishedAt } from "./job-ending.ts";
import { parseInstant } from "./instant.ts";
import type { JobRecord } from "./job-record.ts";
import { isGone, outcomeOf } from "./outcome.ts";
import { speakingEnd } from "./pod-end.ts";
import { count, list, sentence } from "./sentence.ts";

/** The answer to "why?" in one sentence: what the Job came to, what was found, who took it away, and what Kubernetes says where that differs. */
export function answerLine(answer: JobAnswer, record: JobRecord): string {
  const clauses = [
    verdictClause(answer),
    ...stuckClauses(answer.findings),
    ...answer.findings.filter((finding) => isToldHere(finding, answer)).map(clauseOf),
    ...exitCodeClauses(answer, record),
    ...waitingClauses(record),
    ...deletionClauses(answer, record),
    ...reportedClauses(answer, record),
  ];
  const said = answer.findings.length === 0 && clauses.length === 1 ? [...clauses, "nothing stands out"] : clauses;
  return sentence(said.join("; "));
}

function verdictClause(answer: JobAnswer): string {
  const { verdict, spec, pods, status, findings } = answer;
  const { completions } = spec;
  const reRun = findings.find(({ kind }) => kind === "ReRunAfterSuccess");
  if (reRun !== undefined) {
    const since = reRun.since === undefined ? "" : ` (${reRun.since})`;
    return completions === 1
      ? `Complete at the first success${since}`
      : `Complete at success number ${completions ?? 0}${since}`;
  }
  const succeeded = status.succeeded ?? 0;
  const done = completions === undefined ? `${succeeded} succeeded` : `${succeeded} of ${completions} succeeded`;
  const reason = verdict.reason === undefined || verdict.reason === "" ? "" : ` (${verdict.reason})`;
  switch (verdict.state) {
    case "Complete":
      return `Complete: ${done}`;
    case "Failed":
      return `Failed${reason}: ${done}, ${count(status.failed ?? 0, "Pod")} failed`;
    case "Running":
      return `Running: ${done}${pods.active > 0 ? `, ${pods.active} active` : ""}`;
    case "Pending":
      return "Pending: no Pod has started";
    case "Suspended":
      return `Suspended: ${done}`;
    case "Deleted":
      return `Deleted before it finished: ${done}`;
    case "Unknown":
      return `Unknown${reason}: ${done}`;
  }
}

/** What no other clause says: a status behind a proven success is told as what Kubernetes still reports. */
function isToldHere({ kind }: Finding, { verdict }: JobAnswer): boolean {
  if (kind === "StatusBehind") return verdict.basis !== "observed" || verdict.state !== "Complete";
  return !STUCK.includes(kind);
}

/** Two ways to be phantom-running, told together. */
const STUCK: readonly FindingKind[] = ["PhantomRunning", "NodeUnreachable"];

function stuckClauses(findings: readonly Finding[]): readonly string[] {
  const stuck = findings.filter(({ kind }) => STUCK.includes(kind));
  if (stuck.length === 0) return [];
  const pods = stuck.reduce((sum, { podCount = 0 }) => sum + podCount, 0);
  const where = stuck.map(({ kind, pods: named = [], podCount = named.length, since }) => {
    const why = kind === "PhantomRunning" ? "containers ended, phase still Running" : "node not ready or gone";
    const names = named.map(({ name, node }) => (node === undefined ? name : `${name} on ${node}`)).slice(0, MAX_NAMED);
    const more = podCount > names.length ? [`${podCount - names.length} more`] : [];
    return `${list([...names, ...more], MAX_NAMED + 1)} (${why}${since === undefined ? "" : ` since ${since}`})`;
  });
  const many = pods > 1;
  return [
    `${count(pods, "Pod")} ${many ? "are" : "is"} phantom-running: ${where.join(", ")}`,
    `the outcome of ${many ? "these" : "it"} is unknown, not failed`,
  ];
}
const MAX_NAMED = 5;

/** A finding's sentence inside another one. */
function clauseOf({ message }: Finding): string {
  const clause = message.replace(/\.$/, "");
  return clause.startsWith("The ") ? `the ${clause.slice(4)}` : clause;
}

/** How the attempts of a failed Job ended, also those whose Pod is gone. */
function exitCodeClauses({ verdict }: JobAnswer, { pods }: JobRecord): readonly string[] {
  if (verdict.state !== "Failed") return [];
  const ends = new Map<string, number>();
  for (const pod of pods.values()) {
    if (outcomeOf(pod) !== "Failed") continue;
    const end = speakingEnd(pod);
    const how = end === undefined ? "no exit code" : `exit code ${end.exitCode}`;
    ends.set(how, (ends.get(how) ?? 0) + 1);
  }
  if (ends.size === 0) return [];
  const told = [...ends]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([how, times]) => (times === 1 ? how : `${how} (${times} times)`));
  return [`the attempts ended with ${list(told)}`];
}

/** What Pods wait for that will not come by itself. */
function waitingClauses({ pods }: JobRecord): readonly string[] {
  const reasons = new Map<string, number>();
  for (const pod of pods.values()) {
    const reason = isGone(pod) || outcomeOf(pod) !== "Active" ? undefined : pod.observed?.waiting?.reason;
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, pods]) => `${count(pods, "Pod")} waiting: ${reason}`);
}

function deletionClauses({ deletedAt, deletedBy, verdict }: JobAnswer, { job }: JobRecord): readonly string[] {
  if (deletedAt === undefined) return [];
  if (deletedBy === undefined) return ["the Job object is gone, and nobody saw how it went"];
  const over = finishedAt(job);
  const asked = job.deletionRequested?.requestedAt;
  const after =
    over === undefined || asked === undefined ? "" : `, ${durationText(asked - over)} after it had finished`;
  if (deletedBy.actor === "unknown") return [`the Job was deleted${after}, nobody knows by whom`];
  const why = verdict.state === "Deleted" ? `, because ${deletedBy.cause}` : "";
  return [`the Job was deleted ${byWhom(deletedBy)}${after}${why}`];
}

/** What Kubernetes says, where the ledger proves more. */
function reportedClauses({ verdict, reported, findings }: JobAnswer, { job }: JobRecord): readonly string[] {
  const reRun = findings.find(({ kind }) => kind === "ReRunAfterSuccess");
  const proven = parseInstant(reRun?.since);
  const over = finishedAt(job);
  if (proven !== undefined && over !== undefined) {
    return [`Kubernetes reported it finished ${durationText(over - proven)} later`];
  }
  if (verdict.basis !== "observed" || verdict.state !== "Complete" || reported === undefined) return [];
  return [`Kubernetes still reports active ${reported.status.active ?? 0}`];
}
