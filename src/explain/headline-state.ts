import type { DerivedJob } from "../job/derived/derived-job.ts";
import type { Finding } from "../job/findings/finding.ts";
import { formatInstant } from "../job/model/instant.ts";

/** The state of a Job with its count of successes, which every headline begins with. */
export function headlineState(derived: DerivedJob): string {
  const { verdict, spec, tally, status, waiting } = derived;
  const { completions } = spec;
  const reRun = reRunOf(derived);
  if (reRun !== undefined) {
    const since = ` (${formatInstant(reRun.since)})`;
    return completions === 1
      ? `Complete at the first success${since}`
      : `Complete at success number ${completions ?? 0}${since}`;
  }
  const { succeeded = 0 } = status.status;
  const done = completions === undefined ? `${succeeded} succeeded` : `${succeeded} of ${completions} succeeded`;
  const reason = verdict.reason === undefined || verdict.reason === "" ? "" : ` (${verdict.reason})`;
  const active = tally.outcomes.Active;
  const idle = idleText(derived);
  switch (verdict.state) {
    case "Complete":
      return `Complete: ${done}`;
    case "Failed":
      return `Failed${reason}: ${done}`;
    case "Running":
      return idle === undefined
        ? `Running: ${done}${active > 0 ? `, ${active} active` : ""}`
        : `Running, but ${idle}: ${done}`;
    case "Pending":
      return idle === undefined ? `Pending: ${done}` : `Pending, ${idle}: ${done}`;
    case "Suspended":
      return waiting === undefined ? `Suspended: ${done}` : `Suspended since ${formatInstant(waiting.since)}: ${done}`;
    case "Deleted":
      return `Deleted before it finished: ${done}`;
    case "Unknown":
      return `Unknown${reason}: ${done}`;
  }
}

/** Since when nothing runs, though the Job is not over. */
function idleText({ waiting }: DerivedJob): string | undefined {
  if (waiting === undefined || waiting.running > 0) return undefined;
  return `waiting since ${formatInstant(waiting.since)}`;
}

export function reRunOf({ findings }: DerivedJob): Finding<"ReRunAfterSuccess"> | undefined {
  return findings.find((finding) => finding.kind === "ReRunAfterSuccess");
}
