import { matchesGlob } from "../../job/text/glob.ts";
import type { FileProblem } from "../../ports/files/file-content.ts";
import type { FileRule } from "./rule-schema.ts";

/** What a rule says that does not apply to it: thresholds are for series, states and findings for all other rules. */
export function seriesProblems(rule: FileRule, index: number): readonly FileProblem[] {
  const at = (path: string, message: string): FileProblem => ({ path: `rules[${index}].${path}`, message });
  if (rule.per === undefined) {
    const thresholds = (["failureThreshold", "recoveryThreshold"] as const).filter((key) => rule[key] !== undefined);
    return thresholds.map((key) => at(key, NO_SERIES));
  }
  const { states, findings, owners = [] } = rule.match;
  return [
    ...(states === undefined ? [] : [at("match.states", NO_CONDITION)]),
    ...(findings === undefined ? [] : [at("match.findings", NO_CONDITION)]),
    ...owners.flatMap((owner, position) => (mayBeCronJob(owner) ? [] : [at(`match.owners[${position}]`, NO_CRON_JOB)])),
  ];
}

const NO_SERIES = "A threshold counts the runs of a series. Add `per: series` to the rule, or remove the threshold.";
const NO_CONDITION = "A rule with `per: series` is about failures in a row. Remove this key, or write a second rule.";
const NO_CRON_JOB = "A rule with `per: series` is about CronJobs. Write CronJob/NAME, or a name.";

function mayBeCronJob(owner: string): boolean {
  const [kind = "", name] = owner.split("/", 2);
  return name === undefined || matchesGlob(kind, "CronJob");
}
