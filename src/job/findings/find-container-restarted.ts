import type { FactRef } from "../../explain/answer-document.ts";
import { restartsOf } from "../derived/attempt.ts";
import { durationText } from "../../text/duration-text.ts";
import { clusterFactRef, podFactRef } from "../model/fact-ref.ts";
import type { ContainerEnded, NodeObserved } from "../model/fact.ts";
import type { Find } from "./finding-search.ts";
import { formatInstant } from "../model/instant.ts";
import { standText, unreadyBetween } from "../model/node-readiness.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { count, list } from "../../text/sentence.ts";

/** What a node did this long before a container ended, or after, may be why it did. */
const NODE_BEFORE_MS = 300_000;
const NODE_AFTER_MS = 60_000;
/** Runs told of each Pod: how it began says most. */
const MAX_RUNS_TOLD = 3;

/** Containers that were started again in place. That is no new attempt of the Pod, and shows in no counter of the Job. */
export const findContainerRestarted: Find = ({ clusterContext }) => {
  const restarted = new PodSample();
  const exitCodes = new Map<number, number>();
  let restarts = 0;
  const nodeAt = (pod: PodRecord, end: ContainerEnded): NodeObserved | undefined => {
    const at = end.finishedAt ?? end.at;
    return unreadyBetween(pod.scheduled?.node, at - NODE_BEFORE_MS, at + NODE_AFTER_MS, clusterContext);
  };
  return {
    look(pod) {
      const count = restartsOf(pod);
      if (count === 0) return;
      restarted.add(pod);
      restarts += count;
      for (const { exitCode } of replacedRuns(pod)) exitCodes.set(exitCode, (exitCodes.get(exitCode) ?? 0) + 1);
    },
    found() {
      if (restarted.count === 0) return [];
      const stands = new Map<string, NodeObserved>();
      const evidence: FactRef[] = [];
      for (const pod of restarted.pods) {
        for (const end of replacedRuns(pod).slice(0, MAX_RUNS_TOLD)) {
          evidence.push(podFactRef(pod, end, runText(end)));
          const stand = nodeAt(pod, end);
          if (stand !== undefined) stands.set(stand.node, stand);
        }
      }
      for (const stand of stands.values()) {
        evidence.push(clusterFactRef(stand, `node/${stand.node}`, `was ${standText(stand)}`));
      }
      const codes = [...exitCodes.keys()].sort((a, b) => a - b).map(String);
      const told = codes.length === 0 ? "" : `, exit code ${list(codes)}`;
      const nodes = [...stands.values()].map(
        (stand) => `${stand.node} was ${standText(stand)} since ${formatInstant(stand.since)}`,
      );
      const message =
        `${count(restarted.count, "Pod")} had containers restarted in place (${count(restarts, "restart")}${told}: ` +
        `${restarted.list()}); a restart is not a new attempt${nodes.length === 0 ? "" : `; around then ${list(nodes)}`}.`;
      return [{ kind: "ContainerRestarted", message, ...restarted.named, evidence }];
    },
  };
};

/** The runs that another run of the same container came after. */
function replacedRuns(pod: PodRecord): readonly ContainerEnded[] {
  const ends = [...(pod.ended?.values() ?? [])].sort(
    (a, b) => a.restartCount - b.restartCount || (a.container < b.container ? -1 : 1),
  );
  const last = new Map(ends.map((end) => [end.container, end.restartCount]));
  const proven = [...last.values()].reduce((sum, restarts) => sum + restarts, 0);
  // More restarts than the known ends prove: then the last known end was followed by another run, too.
  const allReplaced = (pod.observed?.restarts ?? 0) > proven;
  return ends.filter(({ container, restartCount }) => allReplaced || restartCount < (last.get(container) ?? 0));
}

function runText({ container, exitCode, reason, startedAt, finishedAt, restartCount }: ContainerEnded): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  const ran =
    startedAt === undefined || finishedAt === undefined ? "" : ` after ${durationText(finishedAt - startedAt)}`;
  return `container ${container} ended with exit code ${exitCode}${why}${ran} and was started again in place (restart ${restartCount + 1})`;
}
