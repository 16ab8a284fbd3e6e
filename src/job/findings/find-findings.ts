import type { Finding } from "../../explain/answer-document.ts";
import { findCompletionLost } from "./find-completion-lost.ts";
import { findContainerRestarted } from "./find-container-restarted.ts";
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
import type { JobRecord } from "../model/job-record.ts";
import type { Find, FindingContext, FindingSearch } from "./finding-search.ts";
import { isLeftAlone } from "../status/managed-by.ts";

/** What holds of any Pod, whoever manages its Job and by whatever rules. */
const FINDS_OF_ANY_JOB: readonly Find[] = [
  findPhantomRunning,
  findNodeUnreachable,
  findSidecarHoldsPod,
  findOutcomeUnknown,
  findSuccessFlipped,
  findContainerRestarted,
];
/** The order in which findings are listed: what was lost or done twice, what is stuck, what went wrong, what lags. */
const FINDS: readonly Find[] = [
  findCompletionLost,
  findReRunAfterSuccess,
  findDuplicateExecution,
  ...FINDS_OF_ANY_JOB,
  findLimitReached,
  findStatusBehind,
  findFinalizerStuck,
];

/** A search for everything there is to find: show it each Pod of the Job once, then ask. A healthy Job has no findings. */
export function searchFindings(context: FindingContext): FindingSearch {
  const searches = (isLeftAlone(context.spec) ? FINDS_OF_ANY_JOB : FINDS).map((find) => find(context));
  return {
    look(pod) {
      for (const search of searches) search.look(pod);
    },
    again() {
      const looks = searches.map((search) => search.again?.()).filter((look) => look !== undefined);
      if (looks.length === 0) return undefined;
      return (pod) => {
        for (const look of looks) look(pod);
      };
    },
    found: () => searches.flatMap((search) => search.found()),
  };
}

/** What is to be found in a Job whose Pods are at hand. */
export function findFindings(context: FindingContext, pods: JobRecord["pods"]): readonly Finding[] {
  const search = searchFindings(context);
  for (const pod of pods.values()) search.look(pod);
  for (let look = search.again?.(); look !== undefined; look = search.again?.()) {
    for (const pod of pods.values()) look(pod);
  }
  return search.found();
}
