import type { FindingKind } from "../findings/finding-kinds.ts";
import type { HeadlinePlace } from "../findings/finding-registration.ts";
import { type Finding, FINDINGS } from "../findings/findings.ts";
import type { Clause } from "./clause.ts";

/** A finding in a few words, for one place of the headline. The rows below the headline have its whole message. */
export function findingClauses<Kind extends FindingKind>(
  finding: Finding<Kind>,
  place: HeadlinePlace,
): readonly Clause[] {
  const { headline } = FINDINGS[finding.kind];
  return headline !== "none" && headline.place === place ? headline.clauses(finding) : [];
}

/** What stuck Pods amount to in the headline. They may have succeeded. */
export function stuckOutcome(findings: readonly Finding[]): readonly Clause[] {
  const pods = findings.reduce((sum, finding) => sum + stuckPods(finding), 0);
  return pods === 0 ? [] : [{ full: `${pods === 1 ? "its" : "their"} outcome is unknown, not failed` }];
}

function stuckPods<Kind extends FindingKind>(finding: Finding<Kind>): number {
  return FINDINGS[finding.kind].stuckPods?.(finding) ?? 0;
}
