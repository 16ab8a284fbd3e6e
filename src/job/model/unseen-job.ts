import type { PodCreated } from "./fact.ts";
import type { Instant } from "./instant.ts";
import type { JobRecord } from "./job-record.ts";

/** What the Pods prove about a Job whose object was never observed. */
export interface UnseenJob {
  readonly namespace: string;
  /** The Job's name as it is in a Pod's name; absent if no Pod has a name that the Job controller generates. */
  readonly named?: ReadName;
  /** When the first known Pod was created: the Job existed by then. */
  readonly createdAt: Instant;
}

export interface ReadName {
  readonly name: string;
  /** The name of the Pod that contains it. */
  readonly pod: string;
  /** The Pod's name has the maximum length of a generated name: the Job's name may be longer. */
  readonly mayGoOn: boolean;
}

/** `undefined` if the Job was observed, or none of its Pods. The result does not depend on the order of facts. */
export function unseenJob({ job, pods }: JobRecord): UnseenJob | undefined {
  if (job.created !== undefined) return undefined;
  const byCreation = [...pods.values()]
    .flatMap(({ created }) => created ?? [])
    .sort((a, b) => a.createdAt - b.createdAt || (a.podUid < b.podUid ? -1 : 1));
  const [first] = byCreation;
  if (first === undefined) return undefined;
  const named = firstName(byCreation);
  return { namespace: first.namespace, createdAt: first.createdAt, ...(named !== undefined && { named }) };
}

function firstName(pods: readonly PodCreated[]): ReadName | undefined {
  for (const pod of pods) {
    const named = readName(pod);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** The longest generated name, with its random suffix (`maxNameLength` in k8s.io/apiserver/pkg/storage/names). */
const MAX_GENERATED = 63;
/**
 * Five random characters, preceded by a dash unless it was truncated. The alphabet of k8s.io/apimachinery/pkg/util/rand
 * has no vowels, 0, 1 and 3.
 */
const GENERATED = /^(.+?)(-?)[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** The Job controller names a Pod `JOB-xxxxx`, or `JOB-INDEX-xxxxx` if it has an index (`podGenerateNameWithIndex`). */
function readName({ name: pod, index }: PodCreated): ReadName | undefined {
  const [, base, dash] = GENERATED.exec(pod) ?? [];
  const mayGoOn = pod.length >= MAX_GENERATED;
  if (base === undefined || (dash === "" && !mayGoOn)) return undefined;
  const infix = `-${index}`;
  const isIndexed = index !== undefined && base.endsWith(infix) && base.length > infix.length;
  return { name: isIndexed ? base.slice(0, -infix.length) : base, pod, mayGoOn };
}
