import type { Attribution, DeletionCause } from "../attribution/attribution.ts";
import { actorOf } from "../attribution/deletion-request.ts";
import { attributeJobDeletion } from "../attribution/job-deletion.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { CauseContext } from "./cause-of-pod.ts";
import { PLATFORM, type Responsibility, UNKNOWN } from "./responsibility.ts";

const PERSON: Responsibility = { responsible: "person", retry: "unknown" };
/** The CronJob has already created the next Job. */
const REPLACED: Responsibility = { responsible: "configuration", retry: "pointless" };

/** Who is responsible for the deletion of a Pod. If it was deleted with its Job, that is who deleted the Job. */
export function responsibilityOfDeletion(pod: PodRecord, { job, clusterContext }: CauseContext): Responsibility {
  const attribution = attributePodDeletion(pod, job, clusterContext);
  if (attribution === undefined) return UNKNOWN;
  const isByJob = attribution.actor === "generic-garbage-collector";
  return responsibilityOfDeleter(isByJob ? (attributeJobDeletion(job, clusterContext) ?? attribution) : attribution);
}

/** Who is responsible for a deletion of a Job or Pod. */
export function responsibilityOfDeleter({ cause }: Pick<Attribution, "cause">): Responsibility {
  return cause.cause === "request" ? ofRequest(cause) : CAUSES[cause.cause];
}

const CAUSES: Readonly<Record<Exclude<DeletionCause["cause"], "request">, Responsibility>> = {
  nodeGoneOrOutOfService: PLATFORM,
  nodeGone: PLATFORM,
  nodeUnready: PLATFORM,
  taint: PLATFORM,
  deviceTaint: PLATFORM,
  evicted: PLATFORM,
  evictionRequested: PLATFORM,
  nodeLifecycle: PLATFORM,
  preempted: PLATFORM,
  tooManyTerminatedPods: PLATFORM,
  replacedByCronJob: REPLACED,
  jobSuspended: PERSON,
  suspendedOrScaledDown: PERSON,
  ttlExpired: UNKNOWN,
  historyLimit: UNKNOWN,
  cronJobNotObserved: UNKNOWN,
  cronJobDeleted: UNKNOWN,
  cronJobDeletedInForeground: UNKNOWN,
  ownerDeletedJob: UNKNOWN,
  jobDeleted: UNKNOWN,
  jobBeingDeleted: UNKNOWN,
  notNeeded: UNKNOWN,
  jobFailed: UNKNOWN,
  jobComplete: UNKNOWN,
  unknown: UNKNOWN,
};

type Request = Extract<DeletionCause, { readonly cause: "request" }>;

/** An eviction through the API counts as the platform's, also if a person drains the node. */
function ofRequest({ user, evicted }: Request): Responsibility {
  if (evicted) return PLATFORM;
  if (!user.startsWith("system:") || PEOPLE.has(user)) return PERSON;
  return PLATFORM_ACTORS.has(actorOf(user)) ? PLATFORM : UNKNOWN;
}

/** The administrators of OpenShift and of kubeadm before 1.29. Other users with this prefix are components. */
const PEOPLE: ReadonlySet<string> = new Set(["system:admin"]);

/** Components that remove Pods to keep nodes and the cluster in order. */
const PLATFORM_ACTORS: ReadonlySet<string> = new Set([
  "node-controller",
  "taint-eviction-controller",
  "device-taint-eviction-controller",
  "pod-garbage-collector",
  "kube-scheduler",
  "cluster-autoscaler",
  "karpenter",
  "descheduler",
]);
