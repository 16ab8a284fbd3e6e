import type { DerivedJob } from "./derived-job.ts";
import type { State } from "../job/model/states.ts";
import type { Why } from "./answer-document.ts";
import { auditPolicyText } from "./audit-policy-text.ts";
import { remediesFor } from "./explain-finding.ts";
import { remediesForCauses } from "./cause/explain-cause.ts";
import { presentExpectation } from "./expectation/expectation-text.ts";
import { stoppedTexts } from "./cause/stopped-pods-text.ts";
import { remediesForWaiting } from "./cause/explain-waiting.ts";
import { headline } from "./headline.ts";
import type { ClusterLogs } from "./log-links/pod-log-links.ts";
import { whyDetails } from "./why-details.ts";
import { chainOf } from "./why-chain.ts";
import type { WhyPods } from "./why-pods.ts";

/** Explains a derived Job whose Pods have all been visited by `pods`. Without `logs`, it links to no logs. */
export function explainWhy(derived: DerivedJob, pods: WhyPods, logs?: ClusterLogs): Why {
  const links =
    logs === undefined ? [] : pods.logged.links({ job: pods.job, clusterContext: pods.clusterContext, logs });
  const expected = derived.expectation && presentExpectation(derived.expectation);
  return { ...explanation(derived, pods), ...expected, ...(links.length > 0 && { logs: links }) };
}

function explanation(derived: DerivedJob, pods: WhyPods): Omit<Why, "logs"> {
  const { findings } = derived;
  const answer = headline(derived);
  if (isHealthy(derived)) {
    return { answer, details: [], chain: [], omitted: { count: 0, atLeast: false }, remedies: [] };
  }
  const { entries, omitted } = chainOf(derived, pods);
  const hasUnnamed = findings.some(({ pods: named = [], podCount = named.length }) => podCount > named.length);
  return {
    answer,
    details: whyDetails(derived, pods),
    chain: entries,
    omitted: { count: omitted.count, atLeast: omitted.atLeast || hasUnnamed },
    remedies: remediesOf(derived, pods),
  };
}

/**
 * The remedies. Those of the waiting reason and of the cause come first. A deadline without a cause has its own remedy.
 */
function remediesOf(derived: DerivedJob, pods: WhyPods): readonly string[] {
  const { findings, cause, waiting, verdict } = derived;
  const own = [
    ...(waiting === undefined ? [] : remediesForWaiting(waiting)),
    ...(cause === undefined ? [] : remediesForCauses(cause)),
    ...(cause === undefined && verdict.reason === "DeadlineExceeded" ? [DEADLINE_REMEDY] : []),
  ];
  const audit = auditPolicyText(derived, pods);
  return [...new Set([...own, ...remediesFor(findings), ...(audit === undefined ? [] : [audit])])];
}
const DEADLINE_REMEDY =
  "Raise the Job's activeDeadlineSeconds, or make the work shorter: its Pods ran until the deadline.";

/** Whether the Job has no findings, still exists, and is in progress or complete. */
function isHealthy({ findings, cause, waiting, stopped, verdict, job }: DerivedJob): boolean {
  if (findings.length > 0 || cause !== undefined || waiting !== undefined) return false;
  if (stopped !== undefined && stoppedTexts(stopped).length > 0) return false;
  if ((job.deleted ?? job.vanished) !== undefined) return false;
  return HEALTHY[verdict.state];
}

const HEALTHY = {
  Pending: true,
  Running: true,
  Suspended: true,
  Complete: true,
  Failed: false,
  Deleted: false,
  Unknown: false,
} as const satisfies Record<State, boolean>;
