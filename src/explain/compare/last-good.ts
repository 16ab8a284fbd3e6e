import type { Instant } from "../../job/model/instant.ts";

/** A run with which another one may be compared. */
export interface EarlierRun {
  readonly uid: string;
  readonly createdAt: Instant;
  readonly isComplete: boolean;
  /** It was not observed in full. */
  readonly isAcrossGap: boolean;
}

/** Why no earlier run is good. */
export const NO_LAST_GOOD = ["noEarlierRun", "noneCompleted", "allAcrossGaps"] as const;
export type NoLastGood = (typeof NO_LAST_GOOD)[number];

export type LastGood<Run> =
  | { readonly outcome: "found"; readonly run: Run }
  | { readonly outcome: "none"; readonly reason: NoLastGood };

/** The newest run that was created before `createdAt`, completed, and was observed in full. `runs` in any order. */
export function lastGoodOf<Run extends EarlierRun>(runs: Iterable<Run>, createdAt: Instant): LastGood<Run> {
  let [hasEarlier, hasComplete] = [false, false];
  let newest: Run | undefined;
  for (const run of runs) {
    if (run.createdAt >= createdAt) continue;
    hasEarlier = true;
    if (!run.isComplete) continue;
    hasComplete = true;
    if (run.isAcrossGap || (newest !== undefined && !isNewer(run, newest))) continue;
    newest = run;
  }
  if (newest !== undefined) return { outcome: "found", run: newest };
  return { outcome: "none", reason: hasComplete ? "allAcrossGaps" : hasEarlier ? "noneCompleted" : "noEarlierRun" };
}

function isNewer(a: EarlierRun, b: EarlierRun): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.uid > b.uid);
}
