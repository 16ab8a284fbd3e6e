import { formatInstant } from "../job/model/instant.ts";
import type { CronFinding, ConsecutiveFailures, MissedRun, OverlappingRun } from "../job/schedule/cron-findings.ts";
import { durationText } from "../text/duration-text.ts";
import { count } from "../text/sentence.ts";

/** A finding about a CronJob as one sentence. It names no cluster, namespace or CronJob. */
export function explainCronFinding(finding: CronFinding): string {
  switch (finding.kind) {
    case "MissedRun":
      return missedText(finding);
    case "ConsecutiveFailures":
      return failuresText(finding);
    case "SlowRun":
      return (
        `Run ${finding.run} has been running for ${durationText(finding.runningMillis)}; ` +
        `runs usually take ${durationText(finding.usualMillis)}.`
      );
    case "OverlappingRun":
      return overlapText(finding);
  }
}

function missedText({ count: missed, since, lastDueAt, final, startingDeadlineSeconds }: MissedRun): string {
  const [first, last] = [since, lastDueAt].map(formatInstant);
  const which = missed === 1 ? `the due time ${last}` : `${count(missed, "due time")} from ${first} to ${last}`;
  const what = `No run was created for ${which}`;
  const deadline =
    final && startingDeadlineSeconds !== undefined
      ? ` within startingDeadlineSeconds (${startingDeadlineSeconds})`
      : "";
  return `${what}${deadline}${final ? "" : "; it may still start late"}.`;
}

function failuresText({ count: failures, since, run, atLeast }: ConsecutiveFailures): string {
  const many = `The last ${atLeast ? "known " : ""}${failures} runs failed`;
  return `${many}, since ${formatInstant(since)}; the newest is ${run}.`;
}

function overlapText({ run, since, concurrencyPolicy }: OverlappingRun): string {
  const consequence = CONSEQUENCES[concurrencyPolicy] ?? "";
  return `Run ${run} was still in progress when the next run was due at ${formatInstant(since)}${consequence}.`;
}

const CONSEQUENCES: Readonly<Record<string, string>> = {
  Allow: "; both run at the same time (concurrencyPolicy Allow)",
  Forbid: "; runs are skipped until it ends (concurrencyPolicy Forbid)",
  Replace: "; the next run replaces it (concurrencyPolicy Replace)",
};
