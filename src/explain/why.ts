import type { DerivedJob } from "./derived-job.ts";
import type { State } from "../job/model/states.ts";
import { auditPolicyText } from "./audit-policy-text.ts";
import { remediesFor } from "./explain-finding.ts";
import { remediesForCauses } from "./cause/explain-cause.ts";
import { stoppedTexts } from "./cause/stopped-pods-text.ts";
import { remediesForWaiting } from "./cause/explain-waiting.ts";
import { headline } from "./headline.ts";
import type { PodLogLink } from "./log-links/logged-pods.ts";
import type { ClusterLogs } from "./log-links/pod-log-links.ts";
import { whyDetails } from "./why-details.ts";
import { type ChainEntry, chainOf } from "./why-chain.ts";
import type { WhyPods } from "./why-pods.ts";

/** Why a Job is in its state: the answer in one line, details, the evidence, and how to fix it. */
export interface Why {
  /** The state, then the cause; at most 25 words. */
  readonly answer: string;
  /** What the line leaves out: one sentence each. */
  readonly details: readonly string[];
  /** In order of time, at most 40. Empty if there is nothing to explain. */
  readonly chain: readonly ChainEntry[];
  /** How many more facts the answer rests on; a lower bound if findings concern more Pods than they name. */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
  readonly remedies: readonly string[];
  /**
   * Links to logs: of the first Pods that did not succeed, otherwise of running Pods, otherwise of any. Absent if no
   * links are configured.
   */
  readonly logs?: readonly PodLogLink[];
}

/** Explains a derived Job whose Pods have all been visited by `pods`. Without `logs`, it links to no logs. */
export function explainWhy(derived: DerivedJob, pods: WhyPods, logs?: ClusterLogs): Why {
  const links =
    logs === undefined ? [] : pods.logged.links({ job: pods.job, clusterContext: pods.clusterContext, logs });
  return { ...explanation(derived, pods), ...(links.length > 0 && { logs: links }) };
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
