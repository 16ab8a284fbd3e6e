import type { DerivedJob } from "../job/derived/derived-job.ts";
import type { PhantomRunning } from "../job/findings/find-phantom-running.ts";
import type { Finding } from "../job/findings/finding.ts";
import { type PodRef, podName } from "../job/model/evidence.ts";
import { formatInstant } from "../job/model/instant.ts";
import { isGone } from "../job/model/outcome.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { finishedAt } from "../job/status/job-ending.ts";
import { durationText } from "../text/duration-text.ts";
import { count, list, sentence } from "../text/sentence.ts";
import { byWhom } from "./attribution-text.ts";
import { describeDeletionCause } from "./explain-deletion.ts";
import { explainFinding } from "./explain-finding.ts";
import { endText, type WhyPods } from "./why-pods.ts";

/**
 * The answer to "why?" in one sentence: the state, the findings, who deleted the Job, and what Kubernetes reports
 * instead.
 */
export function answerLine(derived: DerivedJob, pods: WhyPods): string {
  const { findings } = derived;
  const clauses = [
    verdictClause(derived),
    ...stuckClauses(findings),
    ...findings.filter(isSuspicion).map((finding) => suspicionClause(finding, derived)),
    ...findings.filter((finding) => isOwnClause(finding, derived)).map(clauseOf),
    ...attemptClauses(derived, pods),
    ...waitingClauses(pods),
    ...deletionClauses(derived),
    ...reportedClauses(derived),
  ];
  return sentence(
    (findings.length === 0 && clauses.length === 1 ? [...clauses, "nothing stands out"] : clauses).join("; "),
  );
}

function verdictClause(derived: DerivedJob): string {
  const { verdict, spec, tally, status } = derived;
  const { completions } = spec;
  const reRun = reRunOf(derived);
  if (reRun !== undefined) {
    const since = ` (${formatInstant(reRun.since)})`;
    return completions === 1
      ? `Complete at the first success${since}`
      : `Complete at success number ${completions ?? 0}${since}`;
  }
  const { succeeded = 0, failed = 0 } = status.status;
  const done = completions === undefined ? `${succeeded} succeeded` : `${succeeded} of ${completions} succeeded`;
  const reason = verdict.reason === undefined || verdict.reason === "" ? "" : ` (${verdict.reason})`;
  const active = tally.outcomes.Active;
  switch (verdict.state) {
    case "Complete":
      return `Complete: ${done}`;
    case "Failed":
      return `Failed${reason}: ${done}, ${count(failed, "Pod")} failed`;
    case "Running":
      return `Running: ${done}${active > 0 ? `, ${active} active` : ""}`;
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

function reRunOf({ findings }: DerivedJob): Finding<"ReRunAfterSuccess"> | undefined {
  return findings.find((finding) => finding.kind === "ReRunAfterSuccess");
}

/** Whether no other clause covers the finding. The last clause covers a status behind a proven success. */
function isOwnClause({ kind }: Finding, { verdict }: DerivedJob): boolean {
  if (kind === "StatusBehind") return verdict.basis !== "observed" || verdict.state !== "Complete";
  return kind !== "PhantomRunning" && kind !== "NodeUnreachable";
}

type Suspicion = Extract<PhantomRunning, { proof: "none" }>;

function isSuspicion(finding: Finding): finding is Suspicion {
  return finding.kind === "PhantomRunning" && finding.proof === "none";
}

function suspicionClause({ pods = [], podCount, since }: Suspicion, { now }: DerivedJob): string {
  const unchanged = since === undefined ? "a long time" : durationText(now - since);
  const where = `${namesText(pods, podCount)} (no change for ${unchanged}${sinceText(since)})`;
  return `${count(podCount, "Pod")} may be phantom-running: ${where}, as a long program is too`;
}

function stuckClauses(findings: readonly Finding[]): readonly string[] {
  const stuck = findings.filter(
    (finding) => finding.kind === "NodeUnreachable" || (finding.kind === "PhantomRunning" && finding.proof !== "none"),
  );
  if (stuck.length === 0) return [];
  const pods = stuck.reduce((sum, { podCount }) => sum + podCount, 0);
  const where = stuck.map(({ kind, pods: named = [], podCount, since }) => {
    const why = kind === "PhantomRunning" ? "containers ended, phase still Running" : "node not ready or gone";
    return `${namesText(named, podCount)} (${why}${since === undefined ? "" : ` since ${formatInstant(since)}`})`;
  });
  const many = pods > 1;
  return [
    `${count(pods, "Pod")} ${many ? "are" : "is"} phantom-running: ${where.join(", ")}`,
    `the outcome of ${many ? `these ${pods}` : "it"} is unknown, not failed`,
  ];
}

function sinceText(since: number | undefined): string {
  return since === undefined ? "" : `, since ${formatInstant(since)}`;
}
const MAX_NAMED = 5;

function namesText(pods: readonly PodRef[], podCount: number): string {
  const names = pods.map(({ name, node }) => (node === undefined ? name : `${name} on ${node}`));
  return list(names, MAX_NAMED, podCount);
}

/** The message of a finding as a clause of another sentence. */
function clauseOf(finding: Finding): string {
  const clause = explainFinding(finding).message.replace(/\.$/, "");
  return clause.startsWith("The ") ? `the ${clause.slice(4)}` : clause;
}

/** How the attempts of a failed Job ended, one by one if they are few, else grouped. It includes Pods that are gone. */
function attemptClauses({ verdict }: DerivedJob, { unsuccessful, ends }: WhyPods): readonly string[] {
  if (verdict.state !== "Failed" || unsuccessful.count === 0) return [];
  if (unsuccessful.count <= MAX_ATTEMPTS) {
    return [`the attempts ended so: ${list(unsuccessful.pods.map(attemptText), MAX_ATTEMPTS)}`];
  }
  const grouped = [...ends]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([how, times]) => (times === 1 ? how : `${how} (${times} times)`));
  return [`the ${unsuccessful.count} attempts ended with ${list(grouped)}`];
}
const MAX_ATTEMPTS = 10;

function attemptText(pod: PodRecord): string {
  return `${podName(pod)} with ${endText(pod)}${isGone(pod) ? " (its Pod is gone)" : ""}`;
}

/** What Pods wait for. */
function waitingClauses({ waiting }: WhyPods): readonly string[] {
  return [...waiting]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, pods]) => `${count(pods, "Pod")} waiting: ${reason}`);
}

function deletionClauses({ job, deletedBy, verdict }: DerivedJob): readonly string[] {
  if ((job.deleted ?? job.vanished) === undefined) return [];
  if (deletedBy === undefined) return ["the Job object is gone, and nobody saw how it went"];
  const finishAt = finishedAt(job);
  const requestedAt = job.deletionRequested?.requestedAt;
  const after =
    finishAt === undefined || requestedAt === undefined
      ? ""
      : `, ${durationText(requestedAt - finishAt)} after it had finished`;
  if (deletedBy.actor === "unknown") return [`the Job was deleted${after}, nobody knows by whom`];
  const why = verdict.state === "Deleted" ? `, because ${describeDeletionCause(deletedBy.cause)}` : "";
  return [`the Job was deleted ${byWhom(deletedBy)}${after}${why}`];
}

/** What Kubernetes reports, if the Pods prove more. */
function reportedClauses(derived: DerivedJob): readonly string[] {
  const { job, verdict } = derived;
  const completeAt = reRunOf(derived)?.since;
  const finishAt = finishedAt(job);
  if (completeAt !== undefined && finishAt !== undefined) {
    return [`Kubernetes reported it finished ${durationText(finishAt - completeAt)} later`];
  }
  if (verdict.basis !== "observed" || verdict.state !== "Complete" || job.reported === undefined) return [];
  return [`Kubernetes still reports active ${job.reported.status.active ?? 0}`];
}
