import { formatInstant } from "../job/model/instant.ts";
import type { DerivedJob } from "./derived-job.ts";
import type { Finding } from "./findings/findings.ts";

/** The state of a Job with its count of successes, which every headline begins with. */
export function headlineState(derived: DerivedJob): string {
  const { verdict, waiting } = derived;
  const reRun = reRunOf(derived);
  if (reRun !== undefined) return completeAtText(derived, reRun);
  const done = doneText(derived);
  switch (verdict.state) {
    case "Complete":
      return `Complete${successReason(verdict.reason)}: ${done}`;
    case "Failed":
    case "Unknown":
      return `${verdict.state}${reasonText(verdict.reason)}: ${done}`;
    case "Running":
      return runningText(derived);
    case "Pending":
      return `Pending${prefixed(", ", idleText(derived))}: ${done}`;
    case "Suspended":
      return `Suspended${prefixed(" since ", waiting && formatInstant(waiting.since))}: ${done}`;
    case "Deleted":
      return `Deleted before it finished: ${done}`;
  }
}

function completeAtText({ spec: { completions } }: DerivedJob, { since }: Finding<"ReRunAfterSuccess">): string {
  const which = completions === 1 ? "the first success" : `success number ${completions ?? 0}`;
  return `Complete at ${which} (${formatInstant(since)})`;
}

function doneText({ spec: { completions }, status }: DerivedJob): string {
  const { succeeded = 0 } = status.status;
  if (completions === undefined) return `${succeeded} succeeded`;
  return succeeded > completions
    ? `${succeeded} succeeded, ${completions} needed`
    : `${succeeded} of ${completions} succeeded`;
}

function runningText(derived: DerivedJob): string {
  const idle = idleText(derived);
  if (idle !== undefined) return `Running, but ${idle}: ${doneText(derived)}`;
  const active = derived.tally.outcomes.Active;
  return `Running: ${doneText(derived)}${active > 0 ? `, ${active} active` : ""}`;
}

/** The reason of a success, where it is not the usual one. */
function successReason(reason: string | undefined): string {
  return reason === "SuccessPolicy" ? reasonText(reason) : "";
}

function reasonText(reason = ""): string {
  return reason === "" ? "" : ` (${reason})`;
}

function prefixed(prefix: string, text: string | undefined): string {
  return text === undefined ? "" : `${prefix}${text}`;
}

/** Since when no Pod runs although the Job has not ended. */
function idleText({ waiting }: DerivedJob): string | undefined {
  if (waiting === undefined || waiting.running > 0) return undefined;
  return `waiting since ${formatInstant(waiting.since)}`;
}

export function reRunOf({ findings }: DerivedJob): Finding<"ReRunAfterSuccess"> | undefined {
  return findings.filter((finding) => finding.kind === "ReRunAfterSuccess").find((one) => !one.answeredDeletion);
}
