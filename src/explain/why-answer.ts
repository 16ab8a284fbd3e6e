import type { Finding, FindingKind, JobAnswer, PodRef } from "./answer-document.ts";
import { byWhom } from "./attribution-text.ts";
import { durationText } from "../text/duration-text.ts";
import { SUSPECTED } from "../job/findings/find-phantom-running.ts";
import { finishedAt } from "../job/status/job-ending.ts";
import { parseInstant } from "../job/model/instant.ts";
import { podName } from "../job/model/fact-ref.ts";
import { isGone } from "../job/model/outcome.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { count, list, sentence } from "../text/sentence.ts";
import { endText, type WhyPods } from "./why-pods.ts";

/** The answer to "why?" in one sentence: what the Job came to, what was found, who took it away, and what Kubernetes says where that differs. */
export function answerLine(answer: JobAnswer, pods: WhyPods): string {
  const clauses = [
    verdictClause(answer),
    ...stuckClauses(answer.findings),
    ...answer.findings.filter(isSuspicion).map((finding) => suspectClause(finding, answer)),
    ...answer.findings.filter((finding) => isToldHere(finding, answer)).map(clauseOf),
    ...attemptClauses(answer, pods),
    ...waitingClauses(pods),
    ...deletionClauses(answer, pods),
    ...reportedClauses(answer, pods),
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

function isSuspicion({ kind, message }: Finding): boolean {
  return kind === "PhantomRunning" && message.startsWith(SUSPECTED);
}

function suspectClause({ pods = [], podCount = pods.length, since }: Finding, { asOf }: JobAnswer): string {
  const [from, to] = [parseInstant(since), parseInstant(asOf.time)];
  const unchanged = from === undefined || to === undefined ? "a long time" : durationText(to - from);
  const where = `${namesText(pods, podCount)} (no change for ${unchanged}${since === undefined ? "" : `, since ${since}`})`;
  return `${count(podCount, "Pod")} may be phantom-running: ${where}, as a long program is too`;
}

function stuckClauses(findings: readonly Finding[]): readonly string[] {
  const stuck = findings.filter((finding) => STUCK.includes(finding.kind) && !isSuspicion(finding));
  if (stuck.length === 0) return [];
  const pods = stuck.reduce((sum, { podCount = 0 }) => sum + podCount, 0);
  const where = stuck.map(({ kind, pods: named = [], podCount = named.length, since }) => {
    const why = kind === "PhantomRunning" ? "containers ended, phase still Running" : "node not ready or gone";
    return `${namesText(named, podCount)} (${why}${since === undefined ? "" : ` since ${since}`})`;
  });
  const many = pods > 1;
  return [
    `${count(pods, "Pod")} ${many ? "are" : "is"} phantom-running: ${where.join(", ")}`,
    `the outcome of ${many ? `these ${pods}` : "it"} is unknown, not failed`,
  ];
}
const MAX_NAMED = 5;

function namesText(pods: readonly PodRef[], podCount: number): string {
  const names = pods.map(({ name, node }) => (node === undefined ? name : `${name} on ${node}`));
  return list(names, MAX_NAMED, podCount);
}

/** A finding's sentence inside another one. */
function clauseOf({ message }: Finding): string {
  const clause = message.replace(/\.$/, "");
  return clause.startsWith("The ") ? `the ${clause.slice(4)}` : clause;
}

/** How the attempts of a failed Job ended, also those whose Pod is gone: each by name where they are few, else by what they have in common. */
function attemptClauses({ verdict }: JobAnswer, { unsuccessful, ends }: WhyPods): readonly string[] {
  if (verdict.state !== "Failed" || unsuccessful.count === 0) return [];
  if (unsuccessful.count <= MAX_ATTEMPTS) {
    return [`the attempts ended so: ${list(unsuccessful.pods.map(attemptText), MAX_ATTEMPTS)}`];
  }
  const told = [...ends]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([how, times]) => (times === 1 ? how : `${how} (${times} times)`));
  return [`the ${unsuccessful.count} attempts ended with ${list(told)}`];
}
const MAX_ATTEMPTS = 10;

function attemptText(pod: PodRecord): string {
  return `${podName(pod)} with ${endText(pod)}${isGone(pod) ? " (its Pod is gone)" : ""}`;
}

/** What Pods wait for that will not come by itself. */
function waitingClauses({ waiting }: WhyPods): readonly string[] {
  return [...waiting]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, pods]) => `${count(pods, "Pod")} waiting: ${reason}`);
}

function deletionClauses({ deletedAt, deletedBy, verdict }: JobAnswer, { job }: WhyPods): readonly string[] {
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
function reportedClauses({ verdict, reported, findings }: JobAnswer, { job }: WhyPods): readonly string[] {
  const reRun = findings.find(({ kind }) => kind === "ReRunAfterSuccess");
  const proven = parseInstant(reRun?.since);
  const over = finishedAt(job);
  if (proven !== undefined && over !== undefined) {
    return [`Kubernetes reported it finished ${durationText(over - proven)} later`];
  }
  if (verdict.basis !== "observed" || verdict.state !== "Complete" || reported === undefined) return [];
  return [`Kubernetes still reports active ${reported.status.active ?? 0}`];
}
