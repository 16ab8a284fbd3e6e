import type { JobCreated, Owner } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import { cronRunOf } from "./cron-job/cron-lineage.ts";
import { type IdKey, isSeries, KINDS, type LineageKind } from "./kinds.ts";

/** An object that a Job belongs to. */
export interface OwnerLink {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  /** How it was recognised: by the controller reference, a label with its uid, or a label with its name. */
  readonly by: "ownerReference" | "uid" | "name";
  /** What the Job does in it: "worker", "launcher", "submitter", the name of a replicated Job. */
  readonly role?: string;
}

/** What a Job belongs to, by what it says itself. */
export interface Lineage {
  /** Nearest first. */
  readonly owners: readonly OwnerLink[];
  /** The outermost owner that is not a series; absent if the Job is a run of its own. */
  readonly run?: OwnerLink;
  /** How often its run had started its Jobs again: 0 at first. Absent if it says nothing about that. */
  readonly attempt?: number;
  readonly series?: Series;
  readonly externalIds: Readonly<Record<string, string>>;
}

/** What makes such runs over time. */
export interface Series {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  /** The due time for which it created the Job. Absent for a manual run. */
  readonly dueAt?: Instant;
}

/** What decides the lineage of a Job. */
export type JobIdentity = Pick<
  JobCreated,
  "name" | "createdAt" | "labels" | "marks" | "owner" | "scheduledAt" | "manual"
>;
type Keys = Readonly<Record<string, string>>;

export function lineageOf(job: JobIdentity): Lineage {
  const keys: Keys = { ...job.marks, ...job.labels };
  const kinds = kindsOf(keys).filter(({ kind, controls }) => !controls || kind === (job.owner?.kind ?? kind));
  const owners = ownersOf(job.owner, kinds, keys);
  const run = owners.findLast(({ kind }) => !isSeries(kind));
  const attempt = attemptOf(kinds, keys);
  const series = seriesOf(job, { owners, kinds, keys });
  return {
    owners,
    ...(run !== undefined && { run }),
    ...(run !== undefined && attempt !== undefined && { attempt }),
    ...(series !== undefined && { series }),
    externalIds: idsOf(kinds, keys),
  };
}

/** The kinds that something with these keys belongs to. */
export function kindsOf(keys: Keys): readonly LineageKind[] {
  return KINDS.filter(({ when, is }) => {
    const [first] = when;
    return when.every((key) => keys[key] !== undefined) && (is === undefined || keys[first] === is);
  });
}

/** The controller comes first. A kind that the keys name too says what the Job does in it. */
function ownersOf(owner: Owner | undefined, kinds: readonly LineageKind[], keys: Keys): readonly OwnerLink[] {
  const named = kinds.flatMap((kind) => namedOwner(kind, keys) ?? []);
  if (owner === undefined) return named;
  const same = named.find(({ kind }) => kind === owner.kind);
  const controller = { ...owner, by: "ownerReference" as const, ...(same?.role !== undefined && { role: same.role }) };
  return [controller, ...named.filter((link) => link !== same)];
}

function namedOwner({ kind, resource, name, uid, part }: LineageKind, keys: Keys): OwnerLink | undefined {
  const named = name === undefined ? undefined : keys[name];
  if (resource === undefined || named === undefined) return undefined;
  const itsUid = uid === undefined ? undefined : keys[uid];
  const role = part === undefined || "word" in part ? part?.word : keys[part.key];
  return {
    kind,
    name: named,
    ...(itsUid === undefined ? { by: "name" } : { uid: itsUid, by: "uid" }),
    ...(role !== undefined && { role }),
  };
}

function attemptOf(kinds: readonly LineageKind[], keys: Keys): number | undefined {
  for (const { attempt } of kinds) {
    const text = attempt === undefined ? undefined : keys[attempt];
    if (text !== undefined && /^[0-9]{1,9}$/.test(text)) return Number(text);
  }
  return undefined;
}

interface Recognised {
  readonly owners: readonly OwnerLink[];
  readonly kinds: readonly LineageKind[];
  readonly keys: Keys;
}

/** An object that owns the Job has precedence over what another system says. */
function seriesOf(job: JobIdentity, { owners, kinds, keys }: Recognised): Series | undefined {
  const owner = owners.find(({ kind }) => isSeries(kind));
  if (owner !== undefined) {
    const dueAt = cronRunOf(job)?.scheduledAt;
    const { kind, name, uid } = owner;
    return { kind, name, ...(uid !== undefined && { uid }), ...(dueAt !== undefined && { dueAt }) };
  }
  for (const { series } of kinds) {
    if (series === undefined) continue;
    const name = series.name === "job" ? job.name : keys[series.name.key];
    if (name !== undefined) return { kind: series.kind, name };
  }
  return undefined;
}

function idsOf(kinds: readonly LineageKind[], keys: Keys): Readonly<Record<string, string>> {
  const found = kinds.flatMap(({ ids = {} }) =>
    Object.entries(ids).flatMap(([id, key]) => {
      const value = idIn(keys, key);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
  return Object.fromEntries(found);
}

function idIn(keys: Keys, id: IdKey): string | undefined {
  if (typeof id === "string") return keys[id];
  const [part] = keys[id.key]?.split(id.before) ?? [];
  return part;
}
