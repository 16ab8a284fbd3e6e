import type { Waiting, WaitingReason, WaitingShows } from "./waiting-cause.ts";
import type { Failures } from "./idle-job.ts";
import { waitingForMore, waitingOfJob, waitingOfSuspended } from "./waiting-job.ts";
import { type PodWaiting, waitingOfPod } from "./waiting-pod.ts";
import { byCreation, PodSample } from "../evidence/pod-sample.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import { type Evidence, podEvidence } from "../model/evidence.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { outcomeOf } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

interface Group {
  readonly pods: PodSample;
  first: PodRecord;
  waiting: PodWaiting;
}

export interface WaitingSearchContext {
  readonly job: JobObject;
  readonly spec: JobSpec;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
}

/** Visits every Pod of a Job once, in any order, and finds why the Job, or some of its Pods, are not running. */
export class WaitingSearch {
  readonly #context: WaitingSearchContext;
  readonly #groups = new Map<WaitingReason, Group>();
  #active = 0;
  #succeeded = 0;
  #waiting = 0;
  #terminating = 0;
  #failed = 0;
  #lastFailedAt: Instant = 0;
  #lastCreatedAt: Instant | undefined;

  constructor(context: WaitingSearchContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const createdAt = pod.created?.createdAt;
    if (createdAt !== undefined) this.#lastCreatedAt = Math.max(this.#lastCreatedAt ?? createdAt, createdAt);
    const outcome = outcomeOf(pod);
    if (outcome === "Succeeded") this.#succeeded += 1;
    if (outcome === "Terminating") this.#terminating += 1;
    if (outcome === "Failed") this.#addFailure(pod);
    if (outcome !== "Active") return;
    this.#active += 1;
    const waiting = waitingOfPod(pod, this.#context);
    if (waiting === undefined) return;
    this.#waiting += 1;
    this.#add(pod, waiting);
  }

  /** The reason for which most Pods wait; `undefined` once the Job has ended. */
  found(): Waiting | undefined {
    const { job } = this.#context;
    if (job.complete !== undefined || job.failed !== undefined || (job.deleted ?? job.vanished) !== undefined) {
      return undefined;
    }
    const context = { ...this.#context, lastCreatedAt: this.#lastCreatedAt };
    if (this.#active === 0) {
      return waitingOfJob({ ...context, missing: this.#missing(), failures: this.#failures() });
    }
    if (this.#context.spec.suspend) return waitingOfSuspended(context, this.#active);
    const [group] = [...this.#groups.values()].sort(
      (a, b) => b.pods.count - a.pods.count || byCreation(a.first, b.first),
    );
    const running = this.#active - this.#waiting;
    return group === undefined
      ? waitingForMore(context, { missing: this.#missing(), running })
      : ofGroup(group, running);
  }

  /** How many more Pods the Job would have now, if each could be created. */
  #missing(): number {
    const { job, spec } = this.#context;
    if (job.deletionRequested !== undefined) return 0;
    // After its first success, a work queue gets no more Pods.
    const { parallelism, completions = this.#succeeded > 0 ? 0 : parallelism } = spec;
    return Math.min(parallelism, completions - this.#succeeded) - this.#active;
  }

  #addFailure(pod: PodRecord): void {
    this.#failed += 1;
    const at = pod.failed === undefined ? undefined : (endedAt(pod) ?? instantOf(pod.failed));
    this.#lastFailedAt = Math.max(this.#lastFailedAt, at ?? 0);
  }

  #failures(): Failures | undefined {
    if (this.#failed === 0 || this.#terminating > 0) return undefined;
    return { failed: this.#failed, lastFailedAt: this.#lastFailedAt, hasSucceeded: this.#succeeded > 0 };
  }

  #add(pod: PodRecord, waiting: PodWaiting): void {
    const known = this.#groups.get(waiting.reason);
    if (known === undefined) {
      const pods = new PodSample();
      pods.add(pod);
      this.#groups.set(waiting.reason, { pods, first: pod, waiting });
      return;
    }
    known.pods.add(pod);
    const since = Math.min(known.waiting.since, waiting.since);
    const isFirst = byCreation(pod, known.first) < 0;
    known.first = isFirst ? pod : known.first;
    known.waiting = { ...(isFirst ? waiting : known.waiting), since };
  }
}

function ofGroup({ pods, waiting }: Group, running: number): Waiting {
  return { ...waiting, ...pods.named, running, evidence: pods.pods.flatMap(observation) };
}

function observation(pod: PodRecord): readonly Evidence<WaitingShows>[] {
  const { observed } = pod;
  if (observed === undefined) return [];
  const reason = observed.waiting?.reason ?? observed.unscheduled?.reason;
  const shows = { what: "observed", phase: observed.phase, ...(reason !== undefined && { reason }) } as const;
  return [podEvidence(pod, observed, { shows })];
}
