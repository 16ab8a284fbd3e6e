import { type Evidence, podEvidence, type PodRef } from "../model/evidence.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { type Hold, holdOf } from "./pod-hold.ts";
import { PodSample } from "./pod-sample.ts";

export type SidecarHoldsPod = FindingOf<
  "SidecarHoldsPod",
  {
    readonly podCount: number;
    /** The number of Pods that are still kept; the others were deleted since. */
    readonly stillHeld: number;
    /** A main container ended with an exit code other than 0. */
    readonly workFailed: boolean;
  },
  SidecarHoldsPodShows,
  /** `running`: the containers that keep the Pod. */
  PodRef & { readonly running: readonly string[] }
>;
export type SidecarHoldsPodShows =
  | {
      readonly what: "mainEnded";
      readonly container: string;
      readonly exitCode: number;
      readonly running: readonly string[];
    }
  | { readonly what: "deletionRequested" };

type SidecarHold = Extract<Hold, { hold: "sidecar" }>;

/** Pods whose work is done and that another container keeps running, or kept running until they were deleted. */
export const findSidecarHoldsPod: Find<SidecarHoldsPod> = ({ spec, clusterContext, now }) => {
  const heldPods = new PodSample();
  let stillHeld = 0;
  let workFailed = false;
  const holdBySidecar = (pod: PodRecord): SidecarHold | undefined => {
    const hold = holdOf(pod, { restartPolicy: spec.restartPolicy, clusterContext, now });
    return hold?.hold === "sidecar" ? hold : undefined;
  };
  return {
    visit(pod) {
      const hold = holdBySidecar(pod);
      if (hold === undefined) return;
      heldPods.add(pod);
      if (hold.until === undefined) stillHeld += 1;
      if (hold.end.exitCode !== 0) workFailed = true;
    },
    found() {
      if (heldPods.count === 0) return [];
      return [
        {
          kind: "SidecarHoldsPod",
          stillHeld,
          workFailed,
          ...heldPods.since((pod) => holdBySidecar(pod)?.since),
          ...heldPods.namedWith((pod) => ({ running: holdBySidecar(pod)?.running ?? [] })),
          evidence: heldPods.pods.flatMap((pod) => evidenceOf(pod, holdBySidecar(pod))),
        },
      ];
    },
  };
};

function evidenceOf(pod: PodRecord, hold: SidecarHold | undefined): readonly Evidence<SidecarHoldsPodShows>[] {
  if (hold === undefined) return [];
  const { end, running, until } = hold;
  const { container, exitCode } = end;
  const ended = podEvidence(pod, end, { shows: { what: "mainEnded", container, exitCode, running } });
  if (until === undefined || pod.deletionRequested === undefined) return [ended];
  return [ended, podEvidence(pod, pod.deletionRequested, { shows: { what: "deletionRequested" } })];
}
