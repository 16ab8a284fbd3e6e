import type { Attempt, Completeness, JobAnswer, OwnerRef } from "../../explain/answer-document.ts";
import { presentRun as nameRun, presentSeries } from "../../explain/present-lineage.ts";
import { worse } from "../../explain/run/answer-run.ts";
import { type PodsOfRun, presentQueue, presentRun } from "../../explain/run/present-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { firstFailureOf, runJobOf } from "../../explain/run/run-job-of.ts";
import type { PodRun } from "../../kubernetes/runs/translate-run-pod.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { State } from "../../job/model/states.ts";
import { isSeries } from "../../parents/kinds.ts";
import { deriveRun, ownersAbove, type RunPodState } from "../../parents/run/derive-run.ts";
import type { RunJob } from "../../parents/run/run-job.ts";
import { queueOf } from "../../parents/run/run-queue.ts";
import type { RunFact } from "../../job/model/fact.ts";
import { emptyParent, joinParentFact, type ParentRecord } from "../../parents/status/parent-record.ts";

type Parents = ReadonlyMap<string, ParentRecord>;

/** Joins what was observed of objects that Jobs belong to. */
export class ParentFold {
  readonly records = new Map<string, ParentRecord>();

  add(fact: RunFact): void {
    this.records.set(fact.uid, joinParentFact(this.records.get(fact.uid) ?? emptyParent(fact.uid), fact));
  }
}

/** A run that has been seen in answers about Jobs, or as a parent. */
interface KnownRun {
  identity: Pick<RunAnswer, "namespace" | "kind" | "name" | "uid" | "series">;
  /** The object that starts its Jobs. */
  controllerUid?: string;
  readonly jobs: RunJob[];
  readonly answers: Map<string, Pick<JobAnswer, "cause" | "externalIds">>;
  level: Completeness["level"];
  /** What its Pods without a Job show. */
  pods?: PodsOfRun;
}

/** Collects the runs of a recording while the answers about its Jobs are given. */
export class RunFold {
  readonly #parents: Parents;
  /** By the uid of what they admit, each in order of creation. */
  readonly #workloads = new Map<string, ParentRecord[]>();
  readonly #runs = new Map<string, KnownRun>();

  constructor(parents: Parents) {
    this.#parents = parents;
    for (const parent of byCreation(parents)) {
      const { first } = parent;
      if (first === undefined) continue;
      if (first.of === "Workload") {
        if (first.owner !== undefined) pushTo(this.#workloads, first.owner.uid, parent);
        continue;
      }
      const above = ownersAbove(first.owner, parents);
      if (above.some(({ kind }) => !isSeries(kind))) continue;
      const { namespace, of: kind, name } = first;
      this.#run(identityOf({ namespace, kind, name, uid: parent.uid }, seriesIn(above)));
    }
  }

  /** The answer with what its parents add: their owners, and the queue. `withAttempts` has an attempt for each Pod. */
  add(answer: JobAnswer, withAttempts: () => JobAnswer): JobAnswer {
    const owners = this.#ownersOf(answer);
    const outermost = owners.findLast(({ kind }) => !isSeries(kind));
    const series = answer.series ?? seriesIn(owners);
    const queue = queueOf(this.#workloads.get(answer.uid) ?? []);
    const full: JobAnswer = {
      ...answer,
      owners,
      ...(outermost !== undefined && { run: nameRun(outermost, answer.run.attempt) }),
      ...(series !== undefined && { series }),
      ...(queue !== undefined && { queue: presentQueue(queue, this.#parents) }),
    };
    if (outermost !== undefined) this.#addJob(outermost, full, withAttempts());
    return full;
  }

  /** Adds the Pods of a run that have no Job, as the answer about a Job with these Pods. */
  addPods({ key, series, externalIds, ...named }: PodRun, answer: JobAnswer): void {
    const run = this.#run(identityOf(named, series && presentSeries(series)), key);
    run.level = worse(run.level, answer.completeness.level);
    const { attempts = [], cause } = answer;
    run.pods = { externalIds, attempts, ...(cause !== undefined && { cause }) };
  }

  *answers(cluster: string, now: Instant): Generator<RunAnswer> {
    const runs = joinedByName([...this.#runs.values()]).sort(compareRuns);
    for (const run of runs) yield this.#answer(run, cluster, now);
  }

  #answer({ identity, controllerUid, jobs, answers, level, pods }: KnownRun, cluster: string, now: Instant): RunAnswer {
    const parent = this.#parents.get(identity.uid ?? "");
    const controller = this.#parents.get(controllerUid ?? "");
    const workloads = this.#workloads.get(identity.uid ?? "") ?? this.#workloads.get(controllerUid ?? "");
    const derived = deriveRun({ parent, controller, workloads, jobs, pods: pods?.attempts.map(podStateOf) });
    const completeness: Completeness = { level, gaps: [] };
    const parents = this.#parents;
    return presentRun({ cluster, now, identity, parent, derived, jobs, answers, completeness, parents, pods });
  }

  /** Its own owners, and those above its controller. What was observed has precedence over what a label says. */
  #ownersOf({ owners, namespace }: JobAnswer): readonly OwnerRef[] {
    const controller = owners.find(({ by }) => by !== "name");
    const first = controller?.uid === undefined ? undefined : this.#parents.get(controller.uid)?.first;
    const above = ownersAbove(first?.owner, this.#parents).map((owner) => ({
      ...owner,
      namespace,
      by: "ownerReference" as const,
      ...roleIn(owners, owner.kind),
    }));
    const known = new Set(above.map(({ kind }) => kind));
    const own = owners.filter((owner) => owner === controller || !known.has(owner.kind));
    return [...own, ...above];
  }

  #addJob(outermost: OwnerRef, answer: JobAnswer, withAttempts: JobAnswer): void {
    const run = this.#run(identityOf(outermost, answer.series));
    const [nearest] = answer.owners;
    if (nearest?.uid !== undefined) run.controllerUid = nearest.uid;
    run.jobs.push(runJobOf({ ...withAttempts, run: answer.run, owners: answer.owners }));
    const { cause, externalIds } = answer;
    run.answers.set(answer.uid, { externalIds, ...(cause !== undefined && { cause }) });
    run.level = worse(run.level, answer.completeness.level);
  }

  #run(identity: KnownRun["identity"], key = identity.uid ?? nameKeyOf(identity)): KnownRun {
    const known = this.#runs.get(key);
    if (known !== undefined) return withSeries(known, identity);
    const run: KnownRun = { identity, jobs: [], answers: new Map(), level: "complete" };
    this.#runs.set(key, run);
    return run;
  }
}

/** What has only the name of a run belongs to it, if no other run has that name. */
function joinedByName(runs: readonly KnownRun[]): KnownRun[] {
  const withUid = Map.groupBy(
    runs.filter(({ identity }) => identity.uid !== undefined),
    ({ identity }) => nameKeyOf(identity),
  );
  return runs.filter((run) => {
    const [of, ...others] = run.identity.uid === undefined ? (withUid.get(nameKeyOf(run.identity)) ?? []) : [];
    if (of === undefined || others.length > 0) return true;
    joinInto(of, run);
    return false;
  });
}

function joinInto(run: KnownRun, { identity, controllerUid, jobs, answers, level, pods }: KnownRun): void {
  withSeries(run, identity);
  if (run.controllerUid === undefined && controllerUid !== undefined) run.controllerUid = controllerUid;
  for (const job of jobs) run.jobs.push(job);
  for (const [uid, answer] of answers) run.answers.set(uid, answer);
  run.level = worse(run.level, level);
  if (pods !== undefined) run.pods = run.pods === undefined ? pods : joinPods(run.pods, pods);
}

/** The cause is that of the Pods of which one failed first. */
function joinPods(a: PodsOfRun, b: PodsOfRun): PodsOfRun {
  const [failedA = Infinity, failedB = Infinity] = [a, b].map(({ attempts }) => firstFailureOf(attempts)?.at);
  const { cause } = failedB < failedA ? b : a;
  const externalIds = commonIds(a.externalIds, b.externalIds);
  return { externalIds, attempts: [...a.attempts, ...b.attempts], ...(cause !== undefined && { cause }) };
}

/** The ids that both have. */
export function commonIds(a: PodRun["externalIds"], b: PodRun["externalIds"]): PodRun["externalIds"] {
  return Object.fromEntries(Object.entries(a).filter(([id, value]) => b[id] === value));
}

function withSeries(run: KnownRun, { series }: KnownRun["identity"]): KnownRun {
  if (run.identity.series === undefined && series !== undefined) run.identity = { ...run.identity, series };
  return run;
}

function nameKeyOf({ namespace, kind, name }: KnownRun["identity"]): string {
  return `${namespace}/${kind}/${name}`;
}

function pushTo<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [item]);
  else known.push(item);
}

function roleIn(owners: readonly OwnerRef[], kind: string): Pick<OwnerRef, "role"> {
  const role = owners.find((owner) => owner.kind === kind)?.role;
  return role === undefined ? {} : { role };
}

function identityOf(
  { namespace, kind, name, uid }: Omit<KnownRun["identity"], "series">,
  series: JobAnswer["series"],
): KnownRun["identity"] {
  return { namespace, kind, name, ...(uid !== undefined && { uid }), ...(series !== undefined && { series }) };
}

function seriesIn(owners: readonly Pick<OwnerRef, "kind" | "name" | "uid">[]): JobAnswer["series"] {
  const series = owners.find(({ kind }) => isSeries(kind));
  return series && nameRun(series, undefined);
}

function byCreation(parents: Parents): readonly ParentRecord[] {
  return [...parents.values()].sort(
    (a, b) => (a.first?.createdAt ?? 0) - (b.first?.createdAt ?? 0) || compareText(a.uid, b.uid),
  );
}

function compareRuns({ identity: a }: KnownRun, { identity: b }: KnownRun): number {
  return compareText(sortKeyOf(a), sortKeyOf(b));
}

/** Runs of two series may have equal names. */
function sortKeyOf({ namespace, name, kind, uid, series }: KnownRun["identity"]): string {
  return `${namespace}/${name}/${kind}/${uid}/${series?.name}`;
}

function podStateOf({ outcome, startedAt }: Attempt): RunPodState {
  const started = parseInstant(startedAt);
  return { state: STATES[outcome], ...(started !== undefined && { startedAt: started }) };
}

const STATES = {
  Succeeded: "Complete",
  Failed: "Failed",
  Active: "Running",
  Terminating: "Running",
  Unknown: "Unknown",
} as const satisfies Record<Attempt["outcome"], State>;
