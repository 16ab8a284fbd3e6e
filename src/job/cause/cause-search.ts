import { byOccurrence, type CauseGroup, CauseGroups, causedAt, isSameCause } from "./cause-groups.ts";
import { type CauseContext, causeOfPod, failedRunsOf, killedBeside } from "./cause-of-pod.ts";
import type { Cause, CauseShows } from "./cause.ts";
import { responsibilityOfDeletion } from "./deletion-responsibility.ts";
import type { PodCause } from "./pod-cause.ts";
import { MORE_TIME, type Responsibility, responsibilityOf } from "./responsibility.ts";
import { UnfitNodes } from "./unfit-nodes.ts";
import { findRefusal } from "./waiting-job.ts";
import { countedAs, ledgerOf, policyMatchOf } from "../accounting/ledger.ts";
import type { CountingRules } from "../accounting/counting-rules.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { podEndEvidence } from "../evidence/pod-end-evidence.ts";
import { MAX_NAMED_PODS } from "../evidence/pod-sample.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import { type Evidence, podEvidence, podName } from "../model/evidence.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import { unreadyBetween } from "../model/node-readiness.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { isPodFailurePolicy } from "../status/conditions.ts";

/** Visits every Pod of a Job once, in any order, and finds why its attempts failed. */
export class CauseSearch {
  readonly #context: CauseContext & { readonly rules: CountingRules };
  readonly #groups = new CauseGroups();
  readonly #unfitNodes: UnfitNodes;
  #unsuccessful = 0;
  #lastCreatedAt: Instant = 0;
  #hadNode = false;
  /** Pods that ran until the Job's end, and have no cause of their own. */
  #taken = 0;

  constructor(context: CauseContext & { readonly rules: CountingRules }) {
    this.#context = context;
    this.#unfitNodes = new UnfitNodes(context);
  }

  visit(pod: PodRecord): void {
    this.#lastCreatedAt = Math.max(this.#lastCreatedAt, pod.created?.createdAt ?? 0);
    if (pod.scheduled !== undefined) this.#hadNode = true;
    const why = causeOfPod(pod, this.#context);
    if (why !== undefined) this.#visitAttempt(pod, why);
    else if (isTakenByVerdict(pod, this.#context.job)) this.#taken += 1;
    this.#visitRuns(pod, why);
    for (const run of killedBeside(pod, why, this.#context)) {
      const group = this.#groups.add({ pod, ...run });
      if (group !== undefined) group.beside += 1;
    }
  }

  /** `deletions` are deleted Pods that Kubernetes counts as failures although they show none (`stopped-pods.ts`). */
  found(deletions: readonly CauseGroup[] = []): Cause | undefined {
    const groups = [...this.#groups.inOrder(), ...deletions].sort(byOccurrence);
    const group = groups.toSorted(byWeight)[0];
    if (group === undefined) return this.#refusal();
    return {
      ...group.share,
      ...(this.#responsibilityOfEnd(groups) ?? this.#responsibilityOf(group)),
      decides: group.deciding > 0,
      unsuccessful: deletions.reduce((sum, { attempts }) => sum + attempts, this.#unsuccessful),
      shares: groups.map(({ share }) => share),
      ...group.pods.named,
      evidence: [...group.pods.pods, ...firstPodsOf(groups.filter((other) => other !== group))].flatMap(evidenceOf),
    };
  }

  /** A Job that failed while Pods could not be created, and had no failure of its own. */
  #refusal(): Cause | undefined {
    if (this.#context.job.failed === undefined) return undefined;
    const found = findRefusal(this.#context, this.#lastCreatedAt);
    if (found === undefined) return undefined;
    const share = { why: found.why, ...NO_ATTEMPTS };
    const who = responsibilityOf(found.why, {});
    return { ...share, ...who, decides: false, unsuccessful: 0, shares: [share], ...NO_PODS, evidence: found.evidence };
  }

  /** If the Job's deadline or its deletion ended running Pods, it decides. `undefined` if neither did. */
  #responsibilityOfEnd(groups: readonly CauseGroup[]): Responsibility | undefined {
    const { failed, complete, deletionRequested, deleted } = this.#context.job;
    if (failed?.condition.reason === "DeadlineExceeded") return this.#taken > 0 ? MORE_TIME : undefined;
    const isOnlyDeleted = (failed ?? complete) === undefined && (deletionRequested ?? deleted) !== undefined;
    const group = isOnlyDeleted ? groups.find(({ first: { why } }) => why.cause === "deleted") : undefined;
    return group && this.#responsibilityOf(group);
  }

  /** By the first Pod of the cause. Its nodes are those of the Pods that the cause names. */
  #responsibilityOf({ first: { pod, why, at }, pods, isFinalByPolicy }: CauseGroup): Responsibility {
    const { clusterContext } = this.#context;
    const isDeleted = why.cause === "deleted" || why.cause === "outcomeLost";
    return responsibilityOf(why, {
      isFinalByPolicy,
      hadNode: this.#hadNode,
      isNodeUnfit: pods.pods.some(({ scheduled }) => this.#unfitNodes.has(scheduled?.node)),
      wasNodeUnready: wasNodeUnready(pod, at, clusterContext),
      ...(isDeleted && { deletion: responsibilityOfDeletion(pod, this.#context) }),
    });
  }

  #visitAttempt(pod: PodRecord, why: PodCause): void {
    this.#unsuccessful += 1;
    if (responsibilityOf(why, {}).responsible === "platform") this.#unfitNodes.visit(pod);
    const group = this.#groups.add({ pod, why, at: causedAt(pod) });
    if (group === undefined) return;
    group.attempts += 1;
    const entry = ledgerOf(pod, this.#context.rules);
    const ledger = countedAs(entry);
    if (ledger === "failed") group.counted += 1;
    if (ledger === "ignored") this.#addIgnored(group, pod);
    if (FINAL_ACTIONS.has(policyMatchOf(pod, this.#context.rules)?.action ?? "")) group.isFinalByPolicy = true;
    if (this.#isDeciding(pod, entry.ledger === "failed" && entry.indexFailed === true)) group.deciding += 1;
  }

  #addIgnored(group: CauseGroup, pod: PodRecord): void {
    group.ignored += 1;
    const rule = policyMatchOf(pod, this.#context.rules)?.rule;
    if (rule !== undefined) group.ignoredBy.add(rule);
  }

  /** Runs of a failed Pod that failed for its own cause belong to the attempt. */
  #visitRuns(pod: PodRecord, why: PodCause | undefined): void {
    for (const run of failedRunsOf(pod, this.#context)) {
      if (why !== undefined && isSameCause(run.why, why)) continue;
      const group = this.#groups.add({ pod, ...run });
      if (group !== undefined) group.restarts += 1;
    }
  }

  /** The Pod that a FailJob rule matched, or that failed its index for good. */
  #isDeciding(pod: PodRecord, hasFailedIndex: boolean): boolean {
    const condition = this.#context.job.failed?.condition;
    if (isPodFailurePolicy(condition?.reason)) return podName(pod) === condition?.details?.pod;
    switch (condition?.reason ?? "") {
      case "FailedIndexes":
      case "MaxFailedIndexesExceeded":
        return hasFailedIndex;
    }
    return false;
  }
}

/** The cause that led to the Job's end comes first, then the cause of most attempts, then that of most restarts. */
function byWeight(a: CauseGroup, b: CauseGroup): number {
  return b.deciding - a.deciding || b.attempts - a.attempts || b.restarts - a.restarts;
}

/** The other causes are shown by one Pod each. */
function firstPodsOf(groups: readonly CauseGroup[]): readonly PodRecord[] {
  return groups.slice(0, MAX_NAMED_PODS).flatMap(({ pods }) => pods.pods.slice(0, 1));
}

/** A kubelet that comes back kills containers within seconds, and a silent node is marked within a minute. */
const UNREADY_MS = 300_000;

/** Whether the node of the Pod became unready after it had got the Pod, and shortly before `at`. */
function wasNodeUnready({ scheduled }: PodRecord, at: Instant, clusterContext: ClusterContext): boolean {
  if (scheduled === undefined) return false;
  const unready = unreadyBetween(scheduled.node, { from: at - UNREADY_MS, to: at }, clusterContext);
  return unready !== undefined && unready.since > instantOf(scheduled);
}

/** Rules of podFailurePolicy that allow no further Pod. */
const FINAL_ACTIONS: ReadonlySet<string> = new Set(["FailJob", "FailIndex"]);

const NO_ATTEMPTS = { attempts: 0, restarts: 0, counted: 0, ignored: 0, ignoredBy: [] } as const;
const NO_PODS = { pods: [], podCount: 0 } as const;

function evidenceOf(pod: PodRecord): readonly Evidence<CauseShows>[] {
  const { waited, unscheduled } = pod;
  return [
    ...(waited?.waiting === undefined
      ? []
      : [podEvidence(pod, waited, { shows: { what: "waited", ...whatWaited(waited.waiting) } })]),
    ...(unscheduled?.unscheduled === undefined || pod.scheduled !== undefined
      ? []
      : [podEvidence(pod, unscheduled, { shows: { what: "unscheduled", reason: unscheduled.unscheduled.reason } })]),
    ...unhealthyEvidence(pod),
    ...podEndEvidence(pod),
  ];
}

/** The last report of a device that was Unhealthy when the Pod failed. */
function unhealthyEvidence(pod: PodRecord): readonly Evidence<CauseShows>[] {
  const { observed, failed } = pod;
  const shown = failed?.unhealthy === undefined ? observed : failed;
  const [device] = shown?.unhealthy ?? [];
  if (failed === undefined || shown === undefined || device === undefined) return [];
  return [podEvidence(pod, shown, { shows: { what: "unhealthy", ...device } })];
}

function whatWaited({ container, reason }: { readonly container: string; readonly reason: string }) {
  return { container, reason };
}
