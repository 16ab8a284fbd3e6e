import { type Hold, holdOf } from "../../job/evidence/pod-hold.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { type Evidence, podEvidence, type PodRef } from "../../job/model/evidence.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count, list } from "../../job/text/sentence.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

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
const find: Find<SidecarHoldsPod> = ({ spec, clusterContext, now }) => {
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

/** What the page says about the kind. */
export const sidecarHoldsPodText: KindText = {
  title: "Sidecar holds the Pod",
  meaning: "The work has ended, but another container keeps the Pod, and so the Job, running.",
};

export const sidecarHoldsPod: FindingRegistration<SidecarHoldsPod> = {
  rule: { of: "anyJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, describeShown),
  remedies: () => [
    "Declare the other container as a sidecar (an init container with restartPolicy: Always, " +
      "Kubernetes 1.29), or end it when the work is done.",
  ],
  headline: {
    place: "rest",
    clauses: ({ podCount, pods }) => [
      { full: `${holderText(pods)} keeps ${count(podCount, "Pod")} running after the work ended` },
    ],
  },
};

function evidenceOf(pod: PodRecord, hold: SidecarHold | undefined): readonly Evidence<SidecarHoldsPodShows>[] {
  if (hold === undefined) return [];
  const { end, running, until } = hold;
  const { container, exitCode } = end;
  const ended = podEvidence(pod, end, { shows: { what: "mainEnded", container, exitCode, running } });
  if (until === undefined || pod.deletionRequested === undefined) return [ended];
  return [ended, podEvidence(pod, pod.deletionRequested, { shows: { what: "deletionRequested" } })];
}

function messageOf(finding: SidecarHoldsPod): string {
  const { podCount, workFailed } = finding;
  const done = workFailed ? "had come to the end of the work" : "had done the work";
  const pods = listPods(finding, ({ name, running }) => `${name}: ${list(running)}`);
  return `${count(podCount, "Pod")} ${done} and ${keptText(finding)} (${pods}).`;
}

function keptText({ podCount, stillHeld }: SidecarHoldsPod): string {
  const kept = "kept running by another container";
  if (stillHeld === podCount) return `${podCount === 1 ? "is" : "are"} ${kept}`;
  if (stillHeld > 0) return `were ${kept}, ${stillHeld} of them still`;
  return podCount === 1 ? `was ${kept} until it was deleted` : `were ${kept} until they were deleted`;
}

function describeShown(shows: SidecarHoldsPodShows): string {
  switch (shows.what) {
    case "mainEnded":
      return [
        `container ${shows.container} had ended with exit code ${shows.exitCode}`,
        `${list(shows.running)} still ran`,
      ].join("; ");
    case "deletionRequested":
      return "was marked for deletion, and its containers were stopped for that";
  }
}

/** The container that keeps the Pods running, if it is the same one in each Pod. */
function holderText(pods: SidecarHoldsPod["pods"] = []): string {
  const names = new Set(pods.flatMap(({ running }) => running));
  const [name] = names;
  return names.size === 1 && name !== undefined ? `container ${name}` : "another container";
}
