import { formatInstant } from "../job/model/instant.ts";
import type * as document from "./answer-document.ts";
import type { FindingKind } from "./findings/finding-kinds.ts";
import { type Finding, FINDINGS } from "./findings/findings.ts";

/** The text of a finding. */
export interface ExplainedFinding {
  /** One sentence. */
  readonly message: string;
  readonly evidence: readonly document.FactRef[];
  /** How to fix it: sentences in the imperative. */
  readonly remedies: readonly string[];
}

/** Caches the texts of findings: one answer needs the same text in several places, and formatting evidence is slow. */
const explained = new WeakMap<Finding, ExplainedFinding>();

/** The text of a finding: its message, its evidence, and how to fix it. */
export function explainFinding<Kind extends FindingKind>(finding: Finding<Kind>): ExplainedFinding {
  const known = explained.get(finding);
  if (known !== undefined) return known;
  const { message, evidence, remedies } = FINDINGS[finding.kind];
  const text = {
    message: message(finding),
    evidence: evidence(finding),
    remedies: remedies(finding),
  };
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
