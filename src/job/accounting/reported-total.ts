import type { ReportedStatus } from "../model/reported-status.ts";

/** The number of Pods in a reported counter and in the list of Pods that are not counted yet (job-semantics 3.1). */
export function reportedTotal(status: ReportedStatus, ledger: "succeeded" | "failed"): number {
  const { uncounted } = status;
  const beyond = ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond;
  return (status[ledger] ?? 0) + (uncounted?.[ledger].length ?? 0) + (beyond ?? 0);
}
