import type { WaitingReason } from "../job/cause/waiting.ts";
import type { Ledger } from "../job/accounting/ledger.ts";
import type { Category } from "../job/attribution/category.ts";
import type { FindingKind } from "./findings/finding-kinds.ts";
import type { Outcome } from "../job/model/outcome.ts";
import type { JobStatus } from "../job/status/job-status.ts";
import type { LogLink } from "./log-links/pod-log-links.ts";
import type { Verdict } from "../job/status/job-verdict.ts";

/** The public answer document (docs/http.md): names and shapes are a contract. Instants are RFC 3339 text in UTC. */

export interface JobAnswer {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** The due time for which its CronJob created it. Absent for other Jobs, and for manual runs. */
  readonly scheduledAt?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly deletedAt?: string;
  readonly deletedBy?: Attribution;
  readonly spec: JobAnswerSpec;
  readonly status: JobStatus;
  readonly verdict: Verdict;
  readonly reported?: { readonly status: JobStatus; readonly resourceVersion: string; readonly observedAt: string };
  readonly tracking: "tracked" | "untracked" | "unknown";
  readonly pods: PodCounts;
  readonly attempts?: readonly Attempt[];
  /** Why it failed, or what its success cost: the cause that most of its unsuccessful attempts share. */
  readonly cause?: Cause;
  /** Why it is not running, and since when. */
  readonly waiting?: Waiting;
  readonly findings: readonly Finding[];
  /**
   * Only in lists: the Job has so many Pods that lists do not read them. Findings, cause and waiting reasons that
   * depend on Pods are absent here, and present in the answer about the Job.
   */
  readonly podsUnread?: true;
  readonly completeness: Completeness;
  readonly asOf: AsOf;
}

/** The instant that an answer is as of: the last data from the cluster, or the instant that a query asked for. */
export interface AsOf {
  /** RFC 3339 in UTC. */
  readonly time: string;
  /** `metadata.resourceVersion` of the Job's last report. */
  readonly resourceVersion?: string;
  /**
   * `lower`: a query for the past found facts without arrival times, as in a recording. They are dated by the last
   * instant that the watch had shown, so the state may have become true later than `time`.
   */
  readonly bound?: "lower";
}

/** The Job's spec with the API's field names. Contains only the fields of the template that decide the status. */
export interface JobAnswerSpec {
  readonly completions?: number;
  readonly parallelism: number;
  readonly completionMode: string;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend: boolean;
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: unknown;
  readonly successPolicy?: unknown;
  readonly managedBy?: string;
  readonly template: { readonly spec: { readonly restartPolicy: string; readonly activeDeadlineSeconds?: number } };
}

/** How the Pods ended. Each Pod is counted once; `seen` is the sum of the other counts. */
export interface PodCounts {
  readonly seen: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  readonly terminating: number;
  readonly unknown: number;
}

export interface Completeness {
  /** `stale`: the cluster has been silent since `heardAt`, and the Job may have changed since. */
  readonly level: "complete" | "reconciled" | "gaps" | "stale";
  readonly gaps: readonly Gap[];
  /** When the cluster was last heard of. Set only in stale answers. RFC 3339 in UTC. */
  readonly heardAt?: string;
}
export interface Gap {
  readonly from?: string;
  readonly to?: string;
  readonly resources: readonly string[];
  readonly reason: string;
}

export interface Cause {
  readonly category: Category;
  /** One clause: "OOMKilled: container work exceeded its memory limit (32Mi) in 3 of 3 attempts". */
  readonly message: string;
  /** How many attempts failed for this cause. 0 means that containers were only restarted in place. */
  readonly attempts: number;
  /** How many of them Kubernetes counts as failed. */
  readonly counted: number;
  readonly pods?: readonly PodRef[];
  readonly evidence: readonly FactRef[];
}
export interface Waiting {
  readonly reason: WaitingReason;
  /** One clause: "Unschedulable: no node fits (Insufficient cpu on 12 of 14 nodes)". */
  readonly message: string;
  readonly since: string;
  /** How many Pods wait; 0 for a Job without active Pods. */
  readonly podCount: number;
  readonly pods?: readonly PodRef[];
  readonly evidence: readonly FactRef[];
}

/** A fact that an answer rests on. */
export interface FactRef {
  readonly kind: string;
  readonly time: string;
  readonly resourceVersion: string;
  readonly object?: string;
  readonly detail?: string;
}
export interface PodRef {
  readonly uid: string;
  readonly name: string;
  readonly node?: string;
}

export interface Finding {
  readonly kind: FindingKind;
  /** One sentence for a person. */
  readonly message: string;
  readonly since?: string;
  /** The first of them by creation, at most 20. */
  readonly pods?: readonly PodRef[];
  /** How many Pods the finding concerns, including those that `pods` does not name. */
  readonly podCount?: number;
  readonly evidence: readonly FactRef[];
}

/** Who did it and why, and how sure that is. */
export interface Attribution {
  readonly actor: string;
  readonly cause: string;
  readonly confidence: "certain" | "likely" | "possible";
  readonly evidence: readonly FactRef[];
}

/** One Pod of a Job. */
export interface Attempt {
  readonly uid: string;
  readonly name: string;
  readonly index?: number;
  readonly node?: string;
  readonly outcome: Outcome;
  readonly countedAs?: Ledger;
  readonly category?: Category;
  /** Why it did not succeed, or why its containers were restarted, as a clause. */
  readonly cause?: string;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly restarts: number;
  readonly containers: readonly ContainerRun[];
  readonly createdAt: string;
  readonly scheduledAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly deletedAt?: string;
  readonly deletedBy?: Attribution;
  /** Where the logs of the Pod can be read. Set if log links are configured and one of its containers ran. */
  readonly logs?: readonly LogLink[];
}
export interface ContainerRun {
  readonly name: string;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly signal?: number;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly restartCount: number;
}
