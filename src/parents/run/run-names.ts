import { KINDS, SERIES } from "../kinds.ts";

interface NamedObject {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/**
 * The names of a kind, in lower case: `jobset`, `jobsets`, `jobsets.jobset.x-k8s.io`, `jobset.jobset.x-k8s.io`. A kind
 * that the table of kinds lacks has its own name only.
 */
function namesOfKind(kind: string): readonly string[] {
  const own = kind.toLowerCase();
  const resource = KINDS.find((known) => known.kind === kind)?.resource;
  if (resource === undefined) return [own];
  const [plural = "", ...group] = resource.split(".");
  return [own, plural, resource, [own, ...group].join(".")];
}

export function isOfKind(kind: string, wanted: string): boolean {
  return namesOfKind(kind).includes(wanted.toLowerCase());
}

/** The built-in kinds of stored runs. */
export const RUN_KINDS: readonly string[] = KINDS.filter(isOfRuns).map(({ kind }) => kind);

function isOfRuns({ kind, role, alone }: (typeof KINDS)[number]): boolean {
  return role === "run" && alone !== true && kind !== "Job";
}

/**
 * Those that no stored run has: a series makes runs, each Job of a hook or runner is a run of its own, and Volcano's
 * Job has no Jobs.
 */
const OTHER_KINDS: readonly string[] = [...SERIES, ...KINDS.filter((of) => !isOfRuns(of)).map(({ kind }) => kind)];

/**
 * Whether a stored run may be of this kind. What controls Jobs, and the kinds that users add, are known to their Jobs
 * only, by their own name.
 */
export function canBeRunKind(wanted: string): boolean {
  if (OTHER_KINDS.some((kind) => isOfKind(kind, wanted))) return false;
  return /^[a-z][a-z0-9]*$/i.test(wanted) || RUN_KINDS.some((kind) => isOfKind(kind, wanted));
}

/** Whether `wanted` names the object: `KIND/NAME`, its name or its uid. */
export function isRunNamed({ kind, name, uid }: NamedObject, wanted: string): boolean {
  if (wanted === name || wanted === uid) return true;
  const at = wanted.indexOf("/");
  return at > 0 && wanted.slice(at + 1) === name && isOfKind(kind, wanted.slice(0, at));
}

/** Whether these ids are those of `KIND/NAME`, a run of another system. */
export function isWorkNamed(ids: Readonly<Record<string, string>>, wanted: string): boolean {
  const at = wanted.indexOf("/");
  const of = wanted.slice(0, at);
  const kind = KINDS.find((known) => known.resource === undefined && isOfRuns(known) && isOfKind(known.kind, of));
  const [first] = Object.keys(kind?.ids ?? {});
  return first !== undefined && ids[first] === wanted.slice(at + 1);
}
