import type { ContradictingStatus } from "../../job/findings/find-contradicting-status.ts";
import type { FinalizerStuck } from "../../job/findings/find-finalizer-stuck.ts";
import type { Finding } from "../../job/findings/finding.ts";
import type { NodeUnreachable } from "../../job/findings/find-node-unreachable.ts";
import type { PhantomRunning } from "../../job/findings/find-phantom-running.ts";
import type { LossCount, ReRunAfterSuccess } from "../../job/findings/find-re-run-after-success.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { PodRef } from "../../job/model/evidence.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { describeContradiction } from "../findings/explain-contradicting-status.ts";

/** A clause of a headline, with shorter forms for a line that is already long. */
export interface Clause {
  readonly full: string;
  /** A shorter form, used if the full form does not fit and this one does. */
  readonly short?: string;
  readonly brief?: string;
  /** This clause is never left out. The first clause of a line is always necessary. */
  readonly necessary?: boolean;
  /** It is only used after the clause before it. */
  readonly follows?: true;
}

/** A finding in a few words. The rows below the headline have its whole message. */
export function findingClauses<Kind extends Finding["kind"]>(finding: FindingNamed<Kind>): readonly Clause[] {
  return CLAUSES[finding.kind](finding);
}

type FindingNamed<Kind extends Finding["kind"]> = { [K in Kind]: Extract<Finding, { readonly kind: K }> }[Kind];
type Clauses = { readonly [Kind in Finding["kind"]]: (finding: FindingNamed<Kind>) => readonly Clause[] };

const CLAUSES: Clauses = {
  ReRunAfterSuccess: (finding) => (finding.answeredDeletion ? [] : [reRunClause(finding)]),
  PhantomRunning: phantomClauses,
  NodeUnreachable: nodeClauses,
  ContradictingStatus: (finding) => [contradictionClause(finding)],
  CompletionLost: ({ podCount }) => [{ full: `Kubernetes lost ${count(podCount, "success")}` }],
  SuccessFlipped: ({ podCount }) => [{ full: `${count(podCount, "Pod")} became Failed after succeeding` }],
  DuplicateExecution: (finding) => [duplicateClause(finding)],
  OutcomeUnknown: ({ podCount }) => [{ full: `the outcome of ${count(podCount, "Pod")} is unknown` }],
  SidecarHoldsPod: ({ podCount, pods = [] }) => [
    { full: `${holderText(pods)} keeps ${count(podCount, "Pod")} running after the work ended` },
  ],
  FinalizerStuck: (finding) => [{ full: stuckFinalizerText(finding) }],
  StatusBehind: () => [{ full: "Kubernetes has not reported it yet" }],
  ContainerRestarted: () => [],
  LimitReached: () => [],
  Waiting: () => [],
};

function contradictionClause({ contradictions: [first] }: ContradictingStatus): Clause {
  const brief = "the reported status contradicts itself or the Pods";
  if (first === undefined) return { full: brief, necessary: true };
  return { full: `the reported status contradicts the facts: ${describeContradiction(first)}`, brief, necessary: true };
}

/** The container that keeps the Pods running, if it is the same one in each Pod. */
function holderText(pods: readonly { readonly running?: readonly string[] }[]): string {
  const names = new Set(pods.flatMap(({ running = [] }) => running));
  const [name] = names;
  return names.size === 1 && name !== undefined ? `container ${name}` : "another container";
}

function stuckFinalizerText(finding: FinalizerStuck): string {
  if (finding.stuck === "job") return "a finalizer holds up a deletion";
  const { podCount } = finding;
  return `${count(podCount, "ended Pod")} still ${podCount === 1 ? "carries" : "carry"} the tracking finalizer`;
}

function reRunClause({ podCount, losses }: ReRunAfterSuccess): Clause {
  const reRuns = count(podCount, "needless re-run");
  const deleter = onlyDeleter(losses);
  const which = podCount === 1 ? "the Pod before it" : "each Pod";
  const deleted = deleter === undefined ? "" : `, ${which} deleted ${byWhom(deleter)} after it had succeeded`;
  const full = `${reRuns}${deleted}`;
  return { full, brief: reRuns };
}

function onlyDeleter([loss, ...others]: readonly LossCount[]): LossCount["by"] {
  return others.length === 0 ? loss?.by : undefined;
}

function phantomClauses(finding: PhantomRunning): readonly Clause[] {
  const { podCount, pods = [] } = finding;
  const pod = count(podCount, "Pod");
  const names = namesText(pods, podCount);
  switch (finding.proof) {
    case "containersEnded":
      return [
        {
          full: `${pod} ${podCount === 1 ? "is" : "are"} phantom-running (${names})`,
          brief: `${pod} ${podCount === 1 ? "is" : "are"} phantom-running`,
          necessary: true,
        },
      ];
    case "none":
      return [{ full: `${pod} may be phantom-running: no change for ${durationText(finding.afterMillis)} (${names})` }];
  }
}

const MAX_NAMED = 2;

function namesText(pods: readonly PodRef[], podCount: number): string {
  const names = pods.map(({ name, node }) => (node === undefined ? name : `${name} on ${node}`));
  return list(names.slice(0, MAX_NAMED), MAX_NAMED, podCount);
}

function nodeClauses({ pods = [], since }: NodeUnreachable): readonly Clause[] {
  const nodes = [...new Set(pods.flatMap(({ node }) => node ?? []))];
  const when = since === undefined ? "" : ` since ${formatInstant(since)}`;
  return [{ full: `${list(nodes, MAX_NAMED)} not ready${when}`, necessary: true }];
}

/** What stuck Pods amount to in the headline. They may have succeeded. */
export function stuckOutcome(findings: readonly Finding[]): readonly Clause[] {
  const stuck = findings.filter(
    (finding) => finding.kind === "NodeUnreachable" || (finding.kind === "PhantomRunning" && finding.proof !== "none"),
  );
  const pods = stuck.reduce((sum, { podCount }) => sum + podCount, 0);
  return pods === 0 ? [] : [{ full: `${pods === 1 ? "its" : "their"} outcome is unknown, not failed` }];
}

function duplicateClause({ certain, times }: Extract<Finding, { kind: "DuplicateExecution" }>): Clause {
  const work = times === 1 ? "the same work" : `the same work, ${times} times,`;
  return { full: certain ? `${work} ran twice` : `${work} may have run twice` };
}
