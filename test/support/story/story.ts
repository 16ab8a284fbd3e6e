import { joinCronJobFact, joinHint, joinNodeFact } from "../../../src/job/model/cluster-fold.ts";
import {
  type CronJobRecord,
  hintKey,
  type HintRecord,
  type NodeRecord,
  type ClusterContext,
} from "../../../src/job/model/cluster-context.ts";
import type {
  ContainerEnded,
  CronJobDeleted,
  CronJobObserved,
  EvictionObserved,
  HintFact,
  HintTarget,
  JobCreated,
  JobFact,
  JobReported,
  JobSpecified,
  NodeLifecycle,
  PodCreated,
  PodDisrupted,
  PodObserved,
  PodTerminated,
  RequestHinted,
  Stamp,
} from "../../../src/job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../../../src/job/model/ids.ts";
import { type Instant, parseInstant } from "../../../src/job/model/instant.ts";
import { emptyJob, joinFacts, type JobRecord } from "../../../src/job/model/job-record.ts";
import type { PolicyDetails } from "../../../src/job/model/message-details.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { PodRecord } from "../../../src/job/model/pod-record.ts";
import type { ReportedStatus } from "../../../src/job/model/reported-status.ts";

/** A Job that runs one Pod once, as the API server fills in its defaults. */
const plainSpec: JobSpec = {
  parallelism: 1,
  completions: 1,
  completionMode: "NonIndexed",
  backoffLimit: 6,
  suspend: false,
  restartPolicy: "Never",
};

type More<Told extends JobFact> = Partial<Omit<Told, keyof Stamp | "kind" | "jobUid" | "podUid">>;

/**
 * Builds the facts that a watch of a small cluster reports about one Job, one by one. Each fact has the next
 * resourceVersion and the story's current second; `after` advances the time. Names determine uids: Pod "a" of Job
 * "render" has uid "render-a".
 */
export class Story {
  readonly facts: JobFact[] = [];
  readonly jobUid: JobUid;
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #hints = new Map<string, HintRecord>();
  readonly #cronJobs = new Map<string, CronJobRecord>();
  readonly #name: string;
  readonly #beganAt: Instant;
  #now: Instant;
  #resourceVersion = 100;
  #spec = plainSpec;

  constructor(name = "render", beganAt = "2026-01-01T00:00:00Z") {
    this.#name = name;
    this.jobUid = known(decodeJobUid(name));
    this.#beganAt = known(parseInstant(beganAt));
    this.#now = this.#beganAt;
  }

  get now(): Instant {
    return this.#now;
  }

  /** The instant `seconds` after the beginning of the story. */
  second(seconds: number): Instant {
    return this.#beganAt + seconds * 1000;
  }

  after(seconds: number): void {
    this.#now += seconds * 1000;
  }

  /** What one watch event showed: all these facts have its resourceVersion. */
  inOneEvent(tell: () => void): void {
    const before = this.facts.length;
    tell();
    const { resourceVersion } = known(this.facts.at(-1));
    for (const [at, fact] of this.facts.entries()) {
      if (at >= before) this.facts[at] = { ...fact, resourceVersion };
    }
  }

  // --- the Job ---

  jobCreated(spec: Partial<JobSpec> = {}, more: More<JobCreated> = {}): void {
    const stamp = this.#jobStamp();
    const named = { namespace: "default", name: this.#name, createdAt: this.#now, labels: {} };
    this.facts.push({ ...stamp, kind: "JobCreated", ...named, ...more });
    this.jobSpecified(spec);
  }

  jobSpecified(spec: Partial<JobSpec> = {}, generation = 1, more: More<JobSpecified> = {}): void {
    this.#spec = { ...this.#spec, ...spec };
    this.facts.push({ ...this.#jobStamp(), kind: "JobSpecified", generation, spec: this.#spec, ...more });
  }

  /** Kubernetes counts this Job by finalizer. */
  jobTracked(): void {
    this.facts.push({ ...this.#jobStamp(), kind: "JobTracked" });
  }

  /** Kubernetes counts the Pods of this Job that exist. */
  jobUntracked(): void {
    this.facts.push({ ...this.#jobStamp(), kind: "JobUntracked" });
  }

  jobReported(status: Partial<ReportedStatus>, more: Pick<JobReported, "queueName"> = {}): void {
    const { parallelism, completions, suspend, activeDeadlineSeconds, ttlSecondsAfterFinished } = this.#spec;
    const mutable = {
      parallelism,
      suspend,
      ...(completions !== undefined && { completions }),
      ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
      ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    };
    const reported = { status: { conditions: [], ...status }, generation: 1, mutable, ...more };
    this.facts.push({ ...this.#jobStamp(), kind: "JobReported", ...reported });
  }

  /** Complete or Failed, with the status Kubernetes writes in the same step. */
  jobFinished(type: "Complete" | "Failed", reason?: string, status: Partial<ReportedStatus> = {}): void {
    const condition = {
      type,
      status: "True",
      lastTransitionAt: this.#now,
      ...(reason !== undefined && { reason }),
    };
    this.jobReported({ conditions: [condition], ...status });
    this.facts.push({ ...this.#jobStamp(), kind: "JobFinished", condition });
  }

  /** Failed by a rule of its policy, as the condition names it. */
  jobFailedWith(reason: string, details: PolicyDetails, status: Partial<ReportedStatus> = {}): void {
    const condition = { type: "Failed", status: "True", lastTransitionAt: this.#now, reason, details };
    this.jobReported({ conditions: [condition], ...status });
    this.facts.push({ ...this.#jobStamp(), kind: "JobFinished", condition });
  }

  jobDeletionRequested(finalizers: readonly string[] = ["foregroundDeletion"]): void {
    this.facts.push({ ...this.#jobStamp(), kind: "JobDeletionRequested", requestedAt: this.#now, finalizers });
  }

  jobDeleted(): void {
    this.facts.push({ ...this.#jobStamp(), kind: "JobDeleted" });
  }

  // --- its Pods ---

  podCreated(pod: string, more: More<PodCreated> = {}): void {
    const named = { namespace: "default", name: `${this.#name}-${pod}`, createdAt: this.#now, containers: ["work"] };
    this.facts.push({ ...this.#podStamp(pod), kind: "PodCreated", ...named, ...more });
  }

  /** It carries the tracking finalizer. */
  podTracked(pod: string): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodTracked" });
  }

  /** The tracking finalizer is off. */
  podUntracked(pod: string): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodUntracked" });
  }

  podStarted(pod: string, node = "node-a"): void {
    const stamp = this.#podStamp(pod);
    this.facts.push({ ...stamp, kind: "PodScheduled", node, scheduledAt: this.#now });
    this.facts.push({ ...stamp, kind: "PodStarted", startedAt: this.#now });
    this.facts.push({ ...stamp, kind: "PodObserved", phase: "Running", ready: true, restarts: 0 });
  }

  /** What it requests, as of now. */
  podReserved(pod: string, requests: Readonly<Record<string, string>> = { cpu: "1" }): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodReserved", requests });
  }

  /** Pods of the Job that run. */
  podsRunning(...pods: readonly string[]): void {
    for (const pod of pods) {
      this.podCreated(pod);
      this.podTracked(pod);
      this.podStarted(pod);
    }
  }

  podObserved(pod: string, more: More<PodObserved> = {}): void {
    const observation = { phase: "Running", ready: true, restarts: 0, ...more } as const;
    this.facts.push({ ...this.#podStamp(pod), kind: "PodObserved", ...observation });
  }

  /** One run of a container came to its end, `ran` seconds after it began. */
  containerEnded(pod: string, exitCode: number, ran: number, more: More<ContainerEnded> = {}): void {
    const reason = exitCode === 0 ? "Completed" : "Error";
    const times = { startedAt: this.#now - ran * 1000, finishedAt: this.#now };
    const end = { container: "work", restartCount: 0, exitCode, reason, ...times, ...more };
    this.facts.push({ ...this.#podStamp(pod), kind: "ContainerEnded", ...end });
  }

  podTerminated(pod: string, phase: "Succeeded" | "Failed", more: More<PodTerminated> = {}): void {
    const state = { phase, conditions: [], tracked: false, ...more };
    this.facts.push({ ...this.#podStamp(pod), kind: "PodTerminated", ...state });
  }

  podDisrupted(pod: string, reason: string, more: More<PodDisrupted> = {}): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodDisrupted", reason, disruptedAt: this.#now, ...more });
  }

  podDeletionRequested(pod: string, phase: string, more: { tracked?: boolean; graceSeconds?: number } = {}): void {
    const asked = { requestedAt: this.#now, graceSeconds: 0, phase, tracked: false, ...more };
    this.facts.push({ ...this.#podStamp(pod), kind: "PodDeletionRequested", ...asked });
  }

  podDeleted(pod: string, tracked = false): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodDeleted", tracked });
  }

  podVanished(pod: string): void {
    this.facts.push({ ...this.#podStamp(pod), kind: "PodVanished" });
  }

  /** From creation to success in `seconds`, as a Pod of a Job whose Pods carry no finalizer. */
  podSucceeds(pod: string, seconds: number, more: More<PodCreated> & { readonly tracked?: boolean } = {}): void {
    const { tracked = false, ...created } = more;
    this.podCreated(pod, created);
    if (tracked) this.podTracked(pod);
    this.podStarted(pod);
    this.after(seconds);
    this.containerEnded(pod, 0, seconds);
    this.podTerminated(pod, "Succeeded", { tracked });
  }

  podFails(pod: string, exitCode: number, seconds: number, more: More<PodTerminated> = {}): void {
    this.podCreated(pod);
    if (more.tracked) this.podTracked(pod);
    this.podStarted(pod);
    this.after(seconds);
    this.containerEnded(pod, exitCode, seconds);
    this.podTerminated(pod, "Failed", more);
  }

  // --- around them ---

  node(node: string, ready: "True" | "False" | "Unknown", reason = "NodeStatusUnknown"): void {
    const seen = { node, nodeUid: `uid-of-${node}`, ready, since: this.#now, reason };
    this.#nodes.set(node, joinNodeFact(this.#nodeRecord(node), { ...this.#stamp(), kind: "NodeObserved", ...seen }));
  }

  /** The lifecycle conditions of a node that is ready, with the times of their last transitions. */
  nodeLifecycle(node: string, lifecycle: readonly NodeLifecycle[]): void {
    const seen = { node, nodeUid: `uid-of-${node}`, ready: "True", since: this.#beganAt, lifecycle } as const;
    this.#nodes.set(node, joinNodeFact(this.#nodeRecord(node), { ...this.#stamp(), kind: "NodeObserved", ...seen }));
  }

  /** An EvictionRequest for a Pod, or an Eviction of it. */
  evictionObserved(pod: string, more: Partial<EvictionObserved> = {}): void {
    const target = { kind: "Pod", namespace: "default", name: `${this.#name}-${pod}`, uid: `${this.#name}-${pod}` };
    const requesters = [{ name: "acme.io/rebalancer", intent: "Eviction" }];
    const request = { hintId: "request", of: "EvictionRequest", name: "request", requesters, conditions: [] } as const;
    const stamp = this.#stamp();
    this.hinted({ ...stamp, kind: "EvictionObserved", ...request, target, createdAt: this.#now, ...more });
  }

  nodeDeleted(node: string): void {
    const fact = { ...this.#stamp(), kind: "NodeDeleted", node, nodeUid: `uid-of-${node}` } as const;
    this.#nodes.set(node, joinNodeFact(this.#nodeRecord(node), fact));
  }

  /** A request from the audit log: `kind` "Pod" with the story's short name, or "Job". */
  requested(target: "Job" | { readonly pod: string }, user: string, more: Partial<RequestHinted> = {}): void {
    const object: HintTarget =
      target === "Job"
        ? { kind: "Job", namespace: "default", name: this.#name }
        : { kind: "Pod", namespace: "default", name: `${this.#name}-${target.pod}` };
    const request = { target: object, verb: "delete", user, code: 200, requestedAt: this.#now };
    const stamp = this.#stamp();
    this.hinted({ ...stamp, kind: "RequestHinted", hintId: `audit-${stamp.resourceVersion}`, ...request, ...more });
  }

  /** The CronJob that owns the Job, as it is now. */
  cronJob(cronJobUid: string, more: Partial<Omit<CronJobObserved, keyof Stamp | "kind">> = {}): void {
    const named = { namespace: "default", name: "nightly", cronJobUid, createdAt: this.#beganAt, generation: 1 };
    const spec = { schedule: "0 0 * * *", suspend: false, concurrencyPolicy: "Allow" };
    this.#joinCronJob({ ...this.#stamp(), kind: "CronJobObserved", ...named, ...spec, ...more });
  }

  cronJobDeleted(cronJobUid: string): void {
    this.#joinCronJob({ ...this.#stamp(), kind: "CronJobDeleted", namespace: "default", name: "nightly", cronJobUid });
  }

  #joinCronJob(fact: CronJobObserved | CronJobDeleted): void {
    const { cronJobUid } = fact;
    this.#cronJobs.set(cronJobUid, joinCronJobFact(this.#cronJobs.get(cronJobUid) ?? { cronJobUid }, fact));
  }

  hinted(hint: HintFact): void {
    const key = hintKey(hint.target);
    this.#hints.set(key, joinHint(this.#hints.get(key) ?? { hints: [] }, hint));
  }

  // --- what it comes to ---

  get record(): JobRecord {
    return joinFacts(emptyJob(this.jobUid), this.facts);
  }

  pod(pod: string): PodRecord {
    return known(this.record.pods.get(this.#podUid(pod)));
  }

  get clusterContext(): ClusterContext {
    const hints = new Map([...this.#hints].map(([key, record]) => [key, record.hints]));
    return { nodes: this.#nodes, cronJobs: this.#cronJobs, hints, gaps: [] };
  }

  #nodeRecord(node: string): NodeRecord {
    return this.#nodes.get(node) ?? { node, stands: [], deleted: [] };
  }

  #podUid(pod: string): PodUid {
    return known(decodePodUid(`${this.#name}-${pod}`));
  }

  #stamp(): Stamp {
    this.#resourceVersion += 1;
    const resourceVersion = known(decodeResourceVersion(String(this.#resourceVersion)));
    return { epoch: 0, resourceVersion, at: this.#now };
  }

  #jobStamp(): Stamp & { readonly jobUid: JobUid } {
    return { ...this.#stamp(), jobUid: this.jobUid };
  }

  /** For facts that have no method of their own. */
  podStamp(pod: string): Stamp & { readonly jobUid: JobUid; readonly podUid: PodUid } {
    return this.#podStamp(pod);
  }

  #podStamp(pod: string): Stamp & { readonly jobUid: JobUid; readonly podUid: PodUid } {
    return { ...this.#stamp(), jobUid: this.jobUid, podUid: this.#podUid(pod) };
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A story names only what it has told, in texts that can be read.");
  return value;
}
