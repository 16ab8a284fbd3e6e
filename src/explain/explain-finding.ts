import type { Finding, FindingKind } from "../job/findings/finding.ts";
import { formatInstant } from "../job/model/instant.ts";
import type * as document from "./answer-document.ts";
import { explainLongWaiting } from "./cause/explain-waiting.ts";
import { explainCompletionLost } from "./findings/explain-completion-lost.ts";
import { explainContainerRestarted } from "./findings/explain-container-restarted.ts";
import { explainContradictingStatus } from "./findings/explain-contradicting-status.ts";
import { explainDuplicateExecution } from "./findings/explain-duplicate-execution.ts";
import { explainFinalizerStuck } from "./findings/explain-finalizer-stuck.ts";
import { explainLimitReached } from "./findings/explain-limit-reached.ts";
import { explainNodeUnreachable } from "./findings/explain-node-unreachable.ts";
import { explainOutcomeUnknown } from "./findings/explain-outcome-unknown.ts";
import { explainPhantomRunning } from "./findings/explain-phantom-running.ts";
import { explainReRunAfterSuccess } from "./findings/explain-re-run-after-success.ts";
import { explainSidecarHoldsPod } from "./findings/explain-sidecar-holds-pod.ts";
import { explainStatusBehind } from "./findings/explain-status-behind.ts";
import { explainSuccessFlipped } from "./findings/explain-success-flipped.ts";
import type { Explain, ExplainedFinding } from "./findings/explained-finding.ts";

const EXPLAINERS: { readonly [Kind in FindingKind]: Explain<Finding<Kind>> } = {
  ContradictingStatus: explainContradictingStatus,
  CompletionLost: explainCompletionLost,
  ReRunAfterSuccess: explainReRunAfterSuccess,
  DuplicateExecution: explainDuplicateExecution,
  PhantomRunning: explainPhantomRunning,
  NodeUnreachable: explainNodeUnreachable,
  SidecarHoldsPod: explainSidecarHoldsPod,
  OutcomeUnknown: explainOutcomeUnknown,
  SuccessFlipped: explainSuccessFlipped,
  ContainerRestarted: explainContainerRestarted,
  LimitReached: explainLimitReached,
  StatusBehind: explainStatusBehind,
  FinalizerStuck: explainFinalizerStuck,
  Waiting: explainLongWaiting,
};

/** Caches the texts of findings: one answer needs the same text in several places, and formatting evidence is slow. */
const explained = new WeakMap<Finding, ExplainedFinding>();

/** The text of a finding: its message, its evidence, and how to fix it. */
export function explainFinding<Kind extends FindingKind>(finding: Finding<Kind>): ExplainedFinding {
  const known = explained.get(finding);
  if (known !== undefined) return known;
  const text = EXPLAINERS[finding.kind](finding);
  explained.set(finding, text);
  return text;
}

/** A finding as the answer document has it. */
export function presentFinding(finding: Finding): document.Finding {
  const { kind, since, pods, podCount } = finding;
  const { message, evidence } = explainFinding(finding);
  return {
    kind,
    message,
    ...(since !== undefined && { since: formatInstant(since) }),
    ...(pods !== undefined && { pods: pods.map(presentPod) }),
    ...(podCount !== undefined && { podCount }),
    evidence,
  };
}

function presentPod({ uid, name, node }: document.PodRef): document.PodRef {
  return { uid, name, ...(node !== undefined && { node }) };
}

/** How to fix what was found: each remedy once, in the order of the findings. */
export function remediesFor(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.flatMap((finding) => explainFinding(finding).remedies))];
}
