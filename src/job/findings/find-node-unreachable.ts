import { clusterEvidence, type Evidence, podEvidence, type PodRef } from "../model/evidence.ts";
import type { NodeObserved } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { Silence } from "../model/node-readiness.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { holdOf } from "./pod-hold.ts";
import { PodSample } from "./pod-sample.ts";

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
export const findNodeUnreachable: Find<NodeUnreachable> = ({ spec, clusterContext, now }) => {
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
