import { holdOf } from "../../job/evidence/pod-hold.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { clusterEvidence, type Evidence, podEvidence, type PodRef } from "../../job/model/evidence.ts";
import type { NodeObserved } from "../../job/model/fact.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { Silence } from "../../job/model/node-readiness.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count, list } from "../../job/text/sentence.ts";
import type { Clause } from "../headline/clause.ts";
import { readinessText } from "../node-text.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type NodeUnreachable = FindingOf<
  "NodeUnreachable",
  { readonly podCount: number },
  NodeUnreachableShows,
  PodRef & { readonly silence?: NodeSilence }
>;

/** Why a Node reports nothing. */
export interface NodeSilence {
  readonly node: string;
  readonly since: Instant;
  readonly state: { readonly gone: true } | ({ readonly gone: false } & Pick<NodeObserved, "ready" | "reason">);
}
export type NodeUnreachableShows =
  | { readonly what: "lastPhase"; readonly phase: string }
  | { readonly what: "nodeSilent"; readonly state: NodeSilence["state"] };

/** Pods without an observed end whose node is not ready or gone. Whether they still run cannot be known. */
const find: Find<NodeUnreachable> = ({ spec, clusterContext, now }) => {
  const silent = new PodSample();
  const silenceOf = (pod: PodRecord): Silence | undefined => {
    const hold = holdOf(pod, { restartPolicy: spec.restartPolicy, clusterContext, now });
    return hold?.hold === "nodeSilent" ? hold.silence : undefined;
  };
  return {
    visit(pod) {
      if (silenceOf(pod) !== undefined) silent.add(pod);
    },
    found() {
      if (silent.count === 0) return [];
      return [
        {
          kind: "NodeUnreachable",
          ...silent.since((pod) => silenceOf(pod)?.since),
          ...silent.namedWith((pod) => detailsOf(silenceOf(pod))),
          evidence: silent.pods.flatMap((pod) => evidenceOf(pod, silenceOf(pod))),
        },
      ];
    },
  };
};

/** What the page says about the kind. */
export const nodeUnreachableText: KindText = {
  title: "Node unreachable",
  meaning: "Pods are on a Node that is not ready or was deleted. Their outcome is unknown, not failed.",
};

export const nodeUnreachable: FindingRegistration<NodeUnreachable> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => [
    "Bring the named nodes back, or, once you know that they are off, taint them " +
      "node.kubernetes.io/out-of-service or delete the Node objects.",
  ],
  headline: { place: "lost", clauses: nodeClauses },
  stuckPods: ({ podCount }) => podCount,
};

function detailsOf(silence: Silence | undefined): { readonly silence?: NodeSilence } {
  if (silence === undefined) return {};
  return { silence: { node: silence.fact.node, since: silence.since, state: stateOf(silence) } };
}

function stateOf(silence: Silence): NodeSilence["state"] {
  if (silence.silence === "gone") return { gone: true };
  const { ready, reason } = silence.fact;
  return { gone: false, ready, ...(reason !== undefined && { reason }) };
}

function evidenceOf(pod: PodRecord, silence: Silence | undefined): readonly Evidence<NodeUnreachableShows>[] {
  const { observed } = pod;
  const seen =
    observed === undefined ? [] : [podEvidence(pod, observed, { shows: { what: "lastPhase", phase: observed.phase } })];
  if (silence === undefined) return seen;
  const { fact } = silence;
  const node = clusterEvidence(
    fact,
    { kind: "node", name: fact.node },
    { what: "nodeSilent", state: stateOf(silence) },
  );
  return [...seen, node];
}

function messageOf(finding: NodeUnreachable): string {
  const { podCount } = finding;
  const where = listPods(finding, ({ name, silence }) =>
    silence === undefined ? name : `${name}, whose node ${silence.node} ${silenceText(silence)}`,
  );
  const many = podCount > 1;
  return (
    `${count(podCount, "Pod")} ${many ? "are" : "is"} on a node that is not ready (${where}); ` +
    `the outcome of ${many ? "these" : "it"} is unknown, not failed.`
  );
}

function silenceText({ state, since }: NodeSilence): string {
  return `${state.gone ? "is gone" : `is ${readinessText(state)}`} since ${formatInstant(since)}`;
}

function describeShown(shows: NodeUnreachableShows): string {
  switch (shows.what) {
    case "lastPhase":
      return `was last seen in phase ${shows.phase}`;
    case "nodeSilent":
      return shows.state.gone ? "was gone" : `became ${readinessText(shows.state)}`;
  }
}

/** The most Nodes that a headline names. */
const MAX_NAMED = 2;

function nodeClauses({ pods = [], since }: NodeUnreachable): readonly Clause[] {
  const nodes = [...new Set(pods.flatMap(({ node }) => node ?? []))];
  const when = since === undefined ? "" : ` since ${formatInstant(since)}`;
  return [{ full: `${list(nodes, MAX_NAMED)} not ready${when}`, necessary: true }];
}
