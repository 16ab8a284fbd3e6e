import type { Attempt, ContainerRun } from "./answer-document.ts";
import { type Category, categoryOf } from "../job/attribution/category.ts";
import { causeOfPod, causeOfRestarts } from "../job/cause/cause-of-pod.ts";
import { categoryOfCause } from "../job/cause/cause.ts";
import { hasRunContainer } from "../job/cause/never-ran.ts";
import { describeCause } from "./cause/describe-cause.ts";
import type { ClusterContext } from "../job/model/cluster-record.ts";
import type { CountingRules } from "../job/accounting/counting-rules.ts";
import type { ContainerEnded } from "../job/model/fact.ts";
import { formatInstant, type Instant } from "../job/model/instant.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { countedAs, ledgerOf } from "../job/accounting/ledger.ts";
import { attributePodDeletion } from "../job/attribution/pod-deletion.ts";
import { firstEnd, isGone, isPlaceholder, outcomeOf } from "../job/model/outcome.ts";
import { endedAt, restartsOf, decisiveEnd, startedAt } from "../job/model/pod-end.ts";
import { podName } from "../job/model/evidence.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { presentAttribution } from "./explain-deletion.ts";

/** What an attempt is derived from besides its Pod. */
export interface AttemptContext {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  readonly rules: CountingRules;
}

/** One Pod of a Job, as the answer document has it, whether or not the Pod still exists. */
export function presentAttempt(pod: PodRecord, context: AttemptContext): Attempt {
  const { job, clusterContext, rules } = context;
  const why = causeOfPod(pod, context) ?? causeOfRestarts(pod, context);
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
  };
}

/** A Pod that never ran has the category of what it waited for, whatever ended it. */
function categoryOfAttempt(pod: PodRecord, context: AttemptContext): Category | undefined {
  const why = causeOfPod(pod, context);
  const known = why === undefined ? undefined : categoryOfCause(why);
  const decides = known === "image" || known === "configuration" || known === "scheduling" || known === "probe";
  return decides ? known : categoryOf(pod, context.job, context.clusterContext);
}

/** When the Pod was created; where nobody saw that, when it was first heard of. */
function createdAt(pod: PodRecord): Instant {
  const first = pod.created?.createdAt ?? firstEnd(pod)?.at ?? pod.observed?.at ?? pod.deleted?.at;
  return first ?? pod.vanished?.at ?? 0;
}

type Ending = Pick<Attempt, "exitCode" | "reason" | "message">;

function howItEnded(pod: PodRecord): Ending {
  const { reason, message } = firstEnd(pod) ?? {};
  const last = hasStopped(pod) ? decisiveEnd(pod) : undefined;
  const end = last !== undefined && isPlaceholder(last) && !hasRunContainer(pod) ? undefined : last;
  const waiting = isGone(pod) ? undefined : pod.observed?.waiting;
  const why = end ?? (firstEnd(pod) === undefined ? waiting : undefined);
  return definedOf({ exitCode: end?.exitCode, reason: reason ?? why?.reason, message: message ?? why?.message });
}

/** No container will run in it any more: it is over, it is gone, or all of its containers are said to have ended. */
function hasStopped(pod: PodRecord): boolean {
  if (firstEnd(pod) !== undefined || isGone(pod)) return true;
  return pod.observed?.waiting === undefined && pod.observed?.running?.length === 0;
}

function runsOf(pod: PodRecord): readonly ContainerRun[] {
  const listed = pod.created?.containers ?? [];
  const place = ({ container }: ContainerEnded): number =>
    listed.includes(container) ? listed.indexOf(container) : listed.length;
  const ends = [...(pod.ended?.values() ?? [])].sort(
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
  // The DELETED object names no instant of its own: the last it names is when it was asked to go, plus its grace.
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

/** The fields that have a value: an answer leaves out what is not known. */
function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
