import type { PodCreated } from "./fact.ts";
import type { Instant } from "./instant.ts";
import type { JobRecord } from "./job-record.ts";

/** What the Pods of a Job tell of it while the Job object itself was never seen. */
export interface UnseenJob {
  readonly namespace: string;
  /** As the Job controller wrote it into a Pod's name; absent where no Pod is named as it names them. */
  readonly named?: ReadName;
  /** When the first Pod that is known was created: the Job was there by then. */
  readonly createdAt: Instant;
}

export interface ReadName {
  readonly name: string;
  /** The Pod it was read off. */
  readonly pod: string;
  /** The Pod's name is as long as a generated one can be: the Job's name may go on. */
  readonly mayGoOn: boolean;
}

/** `undefined` where the Job was seen, or nothing of it. Follows from the Pods alone, in whatever order they came. */
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

/** Names are cut so that they are no longer than this with their random end (`maxNameLength` of k8s.io/apiserver/pkg/storage/names). */
const MAX_GENERATED = 63;
/** Five random characters, with the dash before them unless the cut took it (k8s.io/apimachinery/pkg/util/rand has no vowels, 0, 1 and 3). */
const GENERATED = /^(.+?)(-?)[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** The Job controller names a Pod `JOB-xxxxx`, or `JOB-INDEX-xxxxx` where it has an index (`podGenerateNameWithIndex`). */
function readName({ name: pod, index }: PodCreated): ReadName | undefined {
  const [, base, dash] = GENERATED.exec(pod) ?? [];
  const mayGoOn = pod.length >= MAX_GENERATED;
  if (base === undefined || (dash === "" && !mayGoOn)) return undefined;
  const infix = `-${index}`;
  const isIndexed = index !== undefined && base.endsWith(infix) && base.length > infix.length;
  return { name: isIndexed ? base.slice(0, -infix.length) : base, pod, mayGoOn };
}
