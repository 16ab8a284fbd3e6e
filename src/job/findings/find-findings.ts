import { isLeftAlone } from "../status/managed-by.ts";
import { findCompletionLost } from "./find-completion-lost.ts";
import { findContainerRestarted } from "./find-container-restarted.ts";
import { findContradictingStatus } from "./find-contradicting-status.ts";
import { findDuplicateExecution } from "./find-duplicate-execution.ts";
import { findFinalizerStuck } from "./find-finalizer-stuck.ts";
import { findLimitReached } from "./find-limit-reached.ts";
import { findNodeUnreachable } from "./find-node-unreachable.ts";
import { findOutcomeUnknown } from "./find-outcome-unknown.ts";
import { findPhantomRunning } from "./find-phantom-running.ts";
import { findReRunAfterSuccess } from "./find-re-run-after-success.ts";
import { findSidecarHoldsPod } from "./find-sidecar-holds-pod.ts";
import { findStatusBehind } from "./find-status-behind.ts";
import { findSuccessFlipped } from "./find-success-flipped.ts";
import type { Finding } from "./finding.ts";
import type { Find, FindingContext, FindingSearch } from "./finding-search.ts";

/** Findings about Pods of any Job, whichever controller manages it. */
const FINDS_OF_ANY_JOB: readonly Find<Finding>[] = [
  findPhantomRunning,
  findNodeUnreachable,
  findSidecarHoldsPod,
  findOutcomeUnknown,
  findSuccessFlipped,
  findContainerRestarted,
];
/** The order in which findings are listed: lost or repeated work, Pods that are stuck, failures, delays. */
const FINDS: readonly Find<Finding>[] = [
  findContradictingStatus,
  findCompletionLost,
  findReRunAfterSuccess,
  findDuplicateExecution,
  ...FINDS_OF_ANY_JOB,
  findLimitReached,
  findStatusBehind,
  findFinalizerStuck,
];

/** Findings that the Job object alone shows. With its Pods they may say more. */
const FINDS_OF_JOB_OBJECT: readonly Find<Finding>[] = [findContradictingStatus, findFinalizerStuck];

/** A search for all findings: visit each Pod of the Job once, run the further passes, then read the result. */
export function searchFindings(context: FindingContext): FindingSearch<Finding> {
  return searchAll(isLeftAlone(context.spec) ? FINDS_OF_ANY_JOB : FINDS, context);
}

/** A search for the findings that need no Pod. */
export function searchJobFindings(context: FindingContext): Pick<FindingSearch<Finding>, "found"> {
  return searchAll(isLeftAlone(context.spec) ? [] : FINDS_OF_JOB_OBJECT, context);
}

function searchAll(finds: readonly Find<Finding>[], context: FindingContext): FindingSearch<Finding> {
  const searches = finds.map((find) => find(context));
  return {
    visit(pod) {
      for (const search of searches) search.visit(pod);
    },
    nextPass() {
      const visits = searches.map((search) => search.nextPass?.()).filter((visit) => visit !== undefined);
      if (visits.length === 0) return undefined;
      return (pod) => {
        for (const visit of visits) visit(pod);
      };
    },
    found: () => searches.flatMap((search) => search.found()),
  };
}
