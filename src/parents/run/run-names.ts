import { KINDS } from "../kinds.ts";

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

/** Whether `wanted` names the object: `KIND/NAME`, its name or its uid. */
export function isRunNamed({ kind, name, uid }: NamedObject, wanted: string): boolean {
  if (wanted === name || wanted === uid) return true;
  const at = wanted.indexOf("/");
  return at > 0 && wanted.slice(at + 1) === name && isOfKind(kind, wanted.slice(0, at));
}
