import type { FindingKind } from "../../src/job/findings/finding.ts";

interface KindText {
  /** The kind as a heading. */
  readonly title: string;
  /** What it means, in one sentence. */
  readonly meaning: string;
}

/** Kinds of findings, ongoing problems first. */
export const KIND_TEXTS: Readonly<Record<FindingKind, KindText>> = {
  PhantomRunning: {
    title: "Phantom-running",
    meaning: "All containers have ended, but the phase is still Running. The Job waits forever.",
  },
  NodeUnreachable: {
    title: "Node unreachable",
    meaning: "Pods are on a Node that is not ready or was deleted. Their outcome is unknown, not failed.",
  },
  FinalizerStuck: {
    title: "Finalizer stuck",
    meaning: "A deletion was requested, but a finalizer is never removed.",
  },
  Waiting: {
    title: "Not running",
    meaning: "A Job, or some of its Pods, have been waiting for longer than the threshold.",
  },
  SidecarHoldsPod: {
    title: "Sidecar holds the Pod",
    meaning: "The work has ended, but another container keeps the Pod, and so the Job, running.",
  },
  OutcomeUnknown: {
    title: "Outcome unknown",
    meaning: "Pods were deleted, and their end was not observed.",
  },
  LimitReached: {
    title: "Limit reached",
    meaning: "The Job failed because of a limit in its spec: back-off limit, deadline or policy.",
  },
  CompletionLost: {
    title: "Completion lost",
    meaning: "A Pod succeeded, but Kubernetes does not count it.",
  },
  DuplicateExecution: {
    title: "Duplicate execution",
    meaning: "The same work ran more than once.",
  },
  ReRunAfterSuccess: {
    title: "Re-run after success",
    meaning: "Pods were deleted before they were counted, so the finished work ran again.",
  },
  StatusBehind: {
    title: "Status behind",
    meaning: "The status that Kubernetes reports lags behind the facts.",
  },
  ContradictingStatus: {
    title: "Contradicting status",
    meaning: "The status that Kubernetes reports contradicts itself or the Pods.",
  },
  SuccessFlipped: {
    title: "Success flipped",
    meaning: "A Pod changed from Succeeded to Failed.",
  },
  ContainerRestarted: {
    title: "Container restarted",
    meaning: "Containers restarted within their Pods. A restart is not a new attempt.",
  },
};

export const KINDS = Object.keys(KIND_TEXTS) as readonly FindingKind[];
