import type { FindingKind } from "../../src/explain/answer-document.ts";

interface KindText {
  /** The kind as a person would say it. */
  readonly title: string;
  /** What it means for whoever is on duty. */
  readonly meaning: string;
}

/** Kinds of findings, what is going wrong now before what went wrong once. */
export const KIND_TEXTS: Readonly<Record<FindingKind, KindText>> = {
  PhantomRunning: {
    title: "Phantom-running",
    meaning: "The phase says Running and nothing runs: the Job waits for what will not come.",
  },
  NodeUnreachable: {
    title: "Node unreachable",
    meaning: "Pods are on a node that is not ready or gone; what they came to is unknown, not failed.",
  },
  FinalizerStuck: {
    title: "Finalizer stuck",
    meaning: "An object was asked to go and is held by a finalizer that nobody takes off.",
  },
  SidecarHoldsPod: {
    title: "Sidecar holds the Pod",
    meaning: "The work has ended and another container keeps its Pod, and so the Job, running.",
  },
  OutcomeUnknown: {
    title: "Outcome unknown",
    meaning: "Pods are gone and nobody saw how they ended.",
  },
  LimitReached: {
    title: "A limit ended it",
    meaning: "The Job failed by a limit of its own spec: back-off, deadline, policy.",
  },
  CompletionLost: {
    title: "Completion lost",
    meaning: "A Pod succeeded and Kubernetes did not keep it.",
  },
  DuplicateExecution: {
    title: "Ran twice",
    meaning: "The same piece of work ran to success more than once.",
  },
  ReRunAfterSuccess: {
    title: "Re-run after success",
    meaning: "The work was done, its Pods were deleted before they were counted, and it was done again.",
  },
  StatusBehind: {
    title: "Status behind",
    meaning: "Kubernetes has not said yet what the facts already prove.",
  },
  SuccessFlipped: {
    title: "Success flipped",
    meaning: "A Pod was Succeeded and then Failed.",
  },
  ContainerRestarted: {
    title: "Container restarted",
    meaning: "Containers were started again within their Pods; a restart is not a new attempt.",
  },
};

export const KINDS = Object.keys(KIND_TEXTS) as readonly FindingKind[];
