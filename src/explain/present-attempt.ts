import type { Attempt, ContainerRun } from "./answer-document.ts";
import { type Category, categoryOf } from "../job/attribution/category.ts";
import { causeOfPod, failedRunsOf } from "../job/cause/cause-of-pod.ts";
import { categoryOfCause } from "../job/cause/cause.ts";
import { hasRunContainer } from "../job/cause/never-ran.ts";
import { describeCause } from "./cause/describe-cause.ts";
import type { ClusterContext } from "../job/model/cluster-context.ts";
import type { CountingRules } from "../job/accounting/counting-rules.ts";
import { compareText } from "../job/model/compare-text.ts";
import type { ContainerEnded } from "../job/model/fact.ts";
import { formatInstant, type Instant } from "../job/model/instant.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { countedAs, ledgerOf } from "../job/accounting/ledger.ts";
import { attributePodDeletion } from "../job/attribution/pod-deletion.ts";
import { firstEnd, isGone, outcomeOf } from "../job/model/outcome.ts";
import { endedAt, knownEnds, restartsOf, decisiveEnd, startedAt } from "../job/model/pod-end.ts";
import { podName } from "../job/model/evidence.ts";
import { isPlaceholder, type PodRecord } from "../job/model/pod-record.ts";
import { presentAttribution } from "./explain-deletion.ts";
import { type ClusterLogs, logLinksOf } from "./log-links/pod-log-links.ts";

/** What an attempt is derived from besides its Pod. */
export interface AttemptContext {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  readonly rules: CountingRules;
  /** @default no links to logs */
  readonly logs?: ClusterLogs | undefined;
}

/** A Job's attempts in order of creation, ties by uid. */
export function presentAttempts(pods: Iterable<PodRecord>, context: AttemptContext): readonly Attempt[] {
  const attempts = Array.from(pods, (pod) => presentAttempt(pod, context));
  return attempts.sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.uid, b.uid));
}

/** One Pod of a Job, as the answer document has it, whether or not the Pod still exists. */
export function presentAttempt(pod: PodRecord, context: AttemptContext): Attempt {
  const { job, clusterContext, rules, logs } = context;
  const links = logs === undefined ? [] : logLinksOf(pod, { job, clusterContext, logs });
  const why = causeOfPod(pod, context) ?? failedRunsOf(pod, context)[0]?.why;
  const deletedBy = attributePodDeletion(pod, job, clusterContext);
  return {
    uid: pod.uid,
    name: podName(pod),
    ...definedOf({ index: pod.created?.index, node: pod.scheduled?.node }),
    outcome: outcomeOf(pod),
    ...definedOf({
      countedAs: countedAs(ledgerOf(pod, rules)),
      category: categoryOfAttempt(pod, context),
      cause: why && describeCause(why),
    }),
    ...howItEnded(pod),
    restarts: restartsOf(pod),
    containers: runsOf(pod),
    createdAt: formatInstant(createdAt(pod)),
    ...timesOf(pod),
    ...definedOf({ deletedBy: deletedBy && presentAttribution(deletedBy) }),
    ...(links.length > 0 && { logs: links }),
  };
}

/** The category of an attempt. A Pod that never ran has the category of what it waited for, whatever ended it. */
export function categoryOfAttempt(pod: PodRecord, context: AttemptContext): Category | undefined {
  const why = causeOfPod(pod, context);
  const known = why === undefined ? undefined : categoryOfCause(why);
  const decides = known === "image" || known === "configuration" || known === "scheduling" || known === "probe";
  return decides ? known : categoryOf(pod, context.job, context.clusterContext);
}

/** When the Pod was created, or first observed if its creation was not. */
function createdAt(pod: PodRecord): Instant {
  const { created, observed, deleted, vanished } = pod;
  if (created !== undefined) return created.createdAt;
  return [firstEnd(pod), observed, deleted, vanished].find((fact) => fact !== undefined)?.at ?? 0;
}

type Ending = Pick<Attempt, "exitCode" | "reason" | "message">;

function howItEnded(pod: PodRecord): Ending {
  const { reason, message } = firstEnd(pod) ?? {};
  const end = knownEnd(pod);
  const why = end ?? waitingOf(pod);
  return definedOf({ exitCode: end?.exitCode, reason: reason ?? why?.reason, message: message ?? why?.message });
}

/** The container end that decided how the Pod ended. A placeholder for a container that never ran does not count. */
function knownEnd(pod: PodRecord): ContainerEnded | undefined {
  const last = hasStopped(pod) ? decisiveEnd(pod) : undefined;
  return last !== undefined && isPlaceholder(last) && !hasRunContainer(pod) ? undefined : last;
}

function waitingOf(pod: PodRecord): NonNullable<PodRecord["observed"]>["waiting"] {
  return firstEnd(pod) === undefined && !isGone(pod) ? pod.observed?.waiting : undefined;
}

/** Whether no container of the Pod will run again: the Pod or all of its containers ended, or it was deleted. */
function hasStopped(pod: PodRecord): boolean {
  if (firstEnd(pod) !== undefined || isGone(pod)) return true;
  return pod.observed?.waiting === undefined && pod.observed?.running?.length === 0;
}

function runsOf(pod: PodRecord): readonly ContainerRun[] {
  const listed = pod.created?.containers ?? [];
  const place = ({ container }: ContainerEnded): number =>
    listed.includes(container) ? listed.indexOf(container) : listed.length;
  const ends = knownEnds(pod).toSorted(
    (a, b) =>
      place(a) - place(b) ||
      (a.container < b.container ? -1 : a.container > b.container ? 1 : a.restartCount - b.restartCount),
  );
  return ends.map((end) => ({
    name: end.container,
    exitCode: end.exitCode,
    ...definedOf({ reason: end.reason, signal: end.signal }),
    ...definedOf({ startedAt: text(end.startedAt), finishedAt: text(end.finishedAt) }),
    restartCount: end.restartCount,
  }));
}

function timesOf(pod: PodRecord): Pick<Attempt, "scheduledAt" | "startedAt" | "finishedAt" | "deletedAt"> {
  const { scheduled, deleted, deletionRequested, vanished } = pod;
  const gone = deleted ?? vanished;
  // The DELETED event has no instant of its own. The deletion timestamp includes the grace period.
  const deletedAt = gone === undefined ? undefined : Math.max(gone.at, deletionRequested?.requestedAt ?? gone.at);
  return definedOf({
    scheduledAt: text(scheduled?.scheduledAt ?? scheduled?.at),
    startedAt: text(startedAt(pod)),
    finishedAt: firstEnd(pod) === undefined ? undefined : text(endedAt(pod)),
    deletedAt: text(deletedAt),
  });
}

function text(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : formatInstant(instant);
}

type Defined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value: an answer omits unknown ones. */
function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
