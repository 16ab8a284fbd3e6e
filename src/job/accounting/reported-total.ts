import type { ReportedStatus } from "../model/reported-status.ts";

/**
 * How many Pods Kubernetes itself knows to have ended so: those in its counter and those it has noted and not yet
 * counted (job-semantics 3.1).
 */
export function reportedTotal(status: ReportedStatus, ledger: "succeeded" | "failed"): number {
  const { uncounted } = status;
  const beyond = ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond;
  return (status[ledger] ?? 0) + (uncounted?.[ledger].length ?? 0) + (beyond ?? 0);
}
