import { PodSample } from "../../job/evidence/pod-sample.ts";
import { clusterEvidence, type Evidence, podEvidence } from "../../job/model/evidence.ts";
import type { ContainerEnded, NodeObserved } from "../../job/model/fact.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { unreadyBetween } from "../../job/model/node-readiness.ts";
import { hasRestartedAll, isWhileTerminating, knownEnds, restartsOf } from "../../job/model/pod-end.ts";
import { isPlaceholder, type PodRecord, RESTARTING_ALL } from "../../job/model/pod-record.ts";
import { durationText } from "../../job/text/duration-text.ts";
import { count, list } from "../../job/text/sentence.ts";
import { readinessText } from "../node-text.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type ContainerRestarted = FindingOf<
  "ContainerRestarted",
  {
    readonly podCount: number;
    readonly restarts: number;
    /** The exit codes of the replaced runs, ascending. */
    readonly exitCodes: readonly number[];
    /** The number of Pods of which a rule restarted all containers together (KEP-5532). */
    readonly wholePods: number;
    /** How many of these do not show which container ended first, and how. */
    readonly unexplainedPods: number;
    /** Nodes that were not ready around the end of a replaced run. */
    readonly nodes: readonly UnreadyNode[];
  },
  ContainerRestartedShows
>;

export interface UnreadyNode extends Pick<NodeObserved, "ready" | "reason"> {
  readonly node: string;
  readonly since: Instant;
}

export type ContainerRestartedShows =
  | {
      readonly what: "runEnded";
      readonly container: string;
      readonly exitCode: number;
      readonly reason?: string;
      readonly ranMillis?: number;
      /** Number of the restart that followed, from 1. */
      readonly restart: number;
    }
  | { readonly what: "nodeUnready"; readonly readiness: Pick<NodeObserved, "ready" | "reason"> };

/** How long before or after the end of a container a node's state may explain the end. */
const NODE_BEFORE_MS = 300_000;
const NODE_AFTER_MS = 60_000;
/** The most runs per Pod in the evidence; the first ones say most. */
const MAX_RUNS = 3;

/** Containers that were restarted in place. A restart is not a new attempt and shows in no counter of the Job. */
const find: Find<ContainerRestarted> = (context) => {
  const restarted = new PodSample();
  const exitCodes = new Set<number>();
  let restarts = 0;
  let wholePods = 0;
  let unexplainedPods = 0;
  return {
    visit(pod) {
      const runs = replacedRuns(pod);
      const own = runs.filter((end) => !isWhileTerminating(pod, end));
      const count = restartsOf(pod) - (runs.length - own.length);
      if (count <= 0) return;
      restarted.add(pod);
      restarts += count;
      for (const end of own) if (!isPlaceholder(end)) exitCodes.add(end.exitCode);
      const ends = [...(pod.ended?.values() ?? [])];
      if (!ends.some(({ reason }) => reason === RESTARTING_ALL)) return;
      wholePods += 1;
      if (!ends.some((end) => hasRestartedAll(pod, end))) unexplainedPods += 1;
    },
    found() {
      if (restarted.count === 0) return [];
      const nodes = unreadyNodes(restarted.pods, context);
      return [
        {
          kind: "ContainerRestarted",
          restarts,
          wholePods,
          unexplainedPods,
          exitCodes: [...exitCodes].sort((a, b) => a - b),
          nodes: nodes.map(({ node, ready, reason, since }) => ({ node, ready, ...reasonOf(reason), since })),
          ...restarted.named,
          evidence: [...restarted.pods.flatMap(runEvidence), ...nodes.map(nodeEvidence)],
        },
      ];
    },
  };
};

/** What the page says about the kind. */
export const containerRestartedText: KindText = {
  title: "Container restarted",
  meaning: "Containers restarted within their Pods. A restart is not a new attempt.",
};

export const containerRestarted: FindingRegistration<ContainerRestarted> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: (finding) => (hasFailed(finding) || finding.wholePods > 0 ? [] : [REMEDY]),
  headline: {
    place: "rest",
    clauses: ({ unexplainedPods }) =>
      unexplainedPods === 0 ? [] : [{ full: `a rule restarted all containers of ${count(unexplainedPods, "Pod")}` }],
  },
};

function unreadyNodes(pods: readonly PodRecord[], { clusterContext }: FindingContext): readonly NodeObserved[] {
  const nodes = new Map<string, NodeObserved>();
  for (const pod of pods) {
    for (const end of firstReplacedRuns(pod)) {
      const at = end.finishedAt ?? end.at;
      const [from, to] = [at - NODE_BEFORE_MS, at + NODE_AFTER_MS];
      const unready = unreadyBetween(pod.scheduled?.node, { from, to }, clusterContext);
      if (unready !== undefined) nodes.set(unready.node, unready);
    }
  }
  return [...nodes.values()];
}

function firstReplacedRuns(pod: PodRecord): readonly ContainerEnded[] {
  return replacedRuns(pod).slice(0, MAX_RUNS);
}

/** The runs that were followed by another run of the same container; if the end of one is unknown, its placeholder. */
function replacedRuns(pod: PodRecord): readonly ContainerEnded[] {
  const ends = knownEnds(pod).toSorted(
    (a, b) => a.restartCount - b.restartCount || (a.container < b.container ? -1 : 1),
  );
  const last = new Map(ends.map((end) => [end.container, end.restartCount]));
  const proven = [...last.values()].reduce((sum, restarts) => sum + restarts, 0);
  // There were more restarts than the known ends prove, so another run followed the last known end, too.
  const allReplaced = (pod.observed?.restarts ?? 0) > proven;
  return ends.filter(({ container, restartCount }) => allReplaced || restartCount < (last.get(container) ?? 0));
}

function runEvidence(pod: PodRecord): readonly Evidence<ContainerRestartedShows>[] {
  return firstReplacedRuns(pod).map((end) => podEvidence(pod, end, { shows: runShown(end) }));
}

function runShown(end: ContainerEnded): ContainerRestartedShows {
  const { container, exitCode, reason, startedAt, finishedAt, restartCount } = end;
  const hasTimes = startedAt !== undefined && finishedAt !== undefined;
  return {
    what: "runEnded",
    container,
    exitCode,
    ...reasonOf(reason),
    ...(hasTimes && { ranMillis: finishedAt - startedAt }),
    restart: restartCount + 1,
  };
}

function nodeEvidence(fact: NodeObserved): Evidence<ContainerRestartedShows> {
  const readiness = { ready: fact.ready, ...reasonOf(fact.reason) };
  return clusterEvidence(fact, { kind: "node", name: fact.node }, { what: "nodeUnready", readiness });
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** The cause of a failed run has its own remedy (cause/explain-cause.ts). */
function hasFailed({ exitCodes }: ContainerRestarted): boolean {
  return exitCodes.some((code) => code !== 0);
}

const REMEDY =
  "Check the node's kubelet and container runtime around that time: the runs that were replaced show no failure.";

function messageOf(finding: ContainerRestarted): string {
  const { podCount, restarts, exitCodes, nodes, wholePods } = finding;
  const codes = exitCodes.length === 0 ? "" : `, exit code ${list(exitCodes.map(String))}`;
  const around = nodes.map((node) => `${node.node} was ${readinessText(node)} since ${formatInstant(node.since)}`);
  return (
    `${count(podCount, "Pod")} had containers restarted in place (${count(restarts, "restart")}${codes}: ` +
    `${listPods(finding)}); a restart is not a new attempt${wholeText(wholePods)}` +
    `${around.length === 0 ? "" : `; around then ${list(around)}`}.`
  );
}

function wholeText(pods: number): string {
  if (pods === 0) return "";
  return `; a restart rule (RestartAllContainers) restarted all containers of ${count(pods, "Pod")}`;
}

function describeShown(shows: ContainerRestartedShows): string {
  switch (shows.what) {
    case "runEnded": {
      const { container, exitCode, reason, ranMillis, restart } = shows;
      if (reason === RESTARTING_ALL) return `container ${container} was removed and started again with all others`;
      const why = reason === undefined ? "" : ` (${reason})`;
      const ran = ranMillis === undefined ? "" : ` after ${durationText(ranMillis)}`;
      return (
        `container ${container} ended with exit code ${exitCode}${why}${ran} and was started again in ` +
        `place (restart ${restart})`
      );
    }
    case "nodeUnready":
      return `was ${readinessText(shows.readiness)}`;
  }
}
