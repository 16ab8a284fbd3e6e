import type { Finding, FindingKind } from "./answer-document.ts";

/** What to do about what was found: each advice once, in the order of the findings. */
export function remediesFor(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.flatMap((finding) => [...specialRemedies(finding), ...REMEDIES[finding.kind]]))];
}

/** What helps against one cause of a finding and not against others. */
function specialRemedies({ kind, message, evidence }: Finding): readonly string[] {
  if (kind === "ReRunAfterSuccess" && message.includes("pod-garbage-collector")) {
    return [
      "Raise --terminated-pod-gc-threshold of kube-controller-manager (its default is 12500; providers may set it lower).",
      "Keep fewer ended Pods around: set ttlSecondsAfterFinished, delete finished Jobs, run fewer Jobs at once.",
    ];
  }
  const isCountedAsFailed = evidence.some((ref) => ref.kind === "PodDeletionRequested");
  return kind === "CompletionLost" && !isCountedAsFailed
    ? ["Let nobody but the Job controller take off the finalizer batch.kubernetes.io/job-tracking."]
    : [];
}

const REMEDIES: Readonly<Record<FindingKind, readonly string[]>> = {
  CompletionLost: ["Make the work safe to run twice: Kubernetes may run it again for a success it did not count."],
  ReRunAfterSuccess: ["Use Kubernetes 1.26 or later: with finalizer tracking a Pod stays until it is counted."],
  DuplicateExecution: [
    "Make the work safe to run twice, or guard it with a lock: a Job may start the same program twice, even with parallelism 1 and restartPolicy Never.",
    "Set podReplacementPolicy: Failed, so that a replacement waits until the Pod before it has ended.",
  ],
  PhantomRunning: [
    "Look at the kubelet of the named nodes: it did not report the end of the containers.",
    "Delete the named Pods to have the work run again, once you know that it may.",
  ],
  NodeUnreachable: [
    "Bring the named nodes back, or, once you know that they are off, taint them node.kubernetes.io/out-of-service or delete the Node objects.",
  ],
  SidecarHoldsPod: [
    "Declare the other container as a sidecar (an init container with restartPolicy: Always, Kubernetes 1.29), or end it when the work is done.",
  ],
  OutcomeUnknown: ["Check by the work's own traces whether it was done: Kubernetes can not say it any more."],
  SuccessFlipped: [
    "Look at the kubelet of the Pod's node: it rewrote a Pod that had ended, as some do when they restart.",
  ],
  ContainerRestarted: [
    "See by the exit codes and the node's story why the containers ended; use restartPolicy: Never to have each run as a Pod of its own, with its logs.",
  ],
  LimitReached: [
    "See by the attempts' exit codes why they failed; raise the limit that fired only if more tries, or more time, would help.",
  ],
  StatusBehind: ["Look at the Job controller: it is slow, or does not run (its queue, its request limits, its log)."],
  FinalizerStuck: [
    "Look at who is to take the finalizer off: the Job controller, or the garbage collector for a Job that is to go.",
  ],
};
