import { explainFinding } from "../../../src/explain/explain-finding.ts";
import type { ExplainedFinding } from "../../../src/explain/explain-finding.ts";
import type { Finding } from "../../../src/explain/findings/findings.ts";
import type { Evidence } from "../../../src/job/model/evidence.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";

/** 2026-01-01T00:00:00Z. */
export const AT = Date.UTC(2026, 0, 1);

/** A piece of evidence that shows this about Pod `render-a`. */
export function evidenceOf<Shows>(shows: Shows): Evidence<Shows> {
  const resourceVersion = decodeResourceVersion("7");
  if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
  return { fact: "PodObserved", at: AT, resourceVersion, object: { kind: "pod", name: "render-a" }, shows };
}

export const POD = { uid: "uid-a", name: "render-a", node: "node-a" };

/** The text of a finding, with the details of its evidence only. */
export function explained(
  finding: Finding,
): Omit<ExplainedFinding, "evidence"> & { readonly details: readonly string[] } {
  const { message, evidence, remedies } = explainFinding(finding);
  return { message, remedies, details: evidence.map(({ detail = "" }) => detail) };
}
