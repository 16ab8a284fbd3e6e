import type { JobCreated, Owner } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import { cronRunOf } from "./cron-job/cron-lineage.ts";
import { ADDED_KINDS_MARK, kindsInMark } from "./added-kinds-mark.ts";
import { isSeries, KINDS } from "./kinds.ts";
import { type RecognisedKind, recognise } from "./recognised-kind.ts";

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

export function lineageOf(job: JobIdentity): Lineage {
  const kinds = kindsOfJob(job).filter(({ kind, controls }) => !controls || kind === (job.owner?.kind ?? kind));
  const owners = ownersOf(job.owner, kinds);
  const run = owners.findLast(({ kind }) => !isSeries(kind));
  const { attempt } = kinds.find(isCounted) ?? {};
  const series = seriesOf(job, owners, kinds);
  return {
    owners,
    ...(run !== undefined && { run }),
    ...(run !== undefined && attempt !== undefined && { attempt }),
    ...(series !== undefined && { series }),
    externalIds: Object.fromEntries(kinds.flatMap(({ ids = {} }) => Object.entries(ids))),
  };
}

/** A number above this counts no restarts: it is an id or a time. */
const MAX_ATTEMPT = 99_999;

function isCounted({ attempt = -1 }: RecognisedKind): boolean {
  return attempt >= 0 && attempt <= MAX_ATTEMPT;
}

/** The kinds that a Job belongs to: built-in ones first. */
export function kindsOfJob({ labels, marks = {} }: Pick<JobIdentity, "labels" | "marks">): readonly RecognisedKind[] {
  return [...recognise(KINDS, { ...marks, ...labels }), ...kindsInMark(marks[ADDED_KINDS_MARK])];
}

/** The controller comes first. A kind that the keys name too says what the Job does in it. */
function ownersOf(owner: Owner | undefined, kinds: readonly RecognisedKind[]): readonly OwnerLink[] {
  const named = kinds.flatMap((kind) => (isAddedSeries(kind) ? [] : (namedOwner(kind) ?? [])));
  if (owner === undefined) return named;
  const same = named.find(({ kind }) => kind === owner.kind);
  const others = named.filter((link) => link !== same);
  if (kinds.some((kind) => isAddedSeries(kind) && kind.kind === owner.kind)) return others;
  const controller = { ...owner, by: "ownerReference" as const, ...(same?.role !== undefined && { role: same.role }) };
  return [controller, ...others];
}

/** Readers of owners know the built-in series only, so that one of an added kind is no owner. */
function isAddedSeries({ kind, role }: RecognisedKind): boolean {
  return role === "series" && !isSeries(kind);
}

function namedOwner({ kind, resource, name, uid, part }: RecognisedKind): OwnerLink | undefined {
  if (resource === undefined || name === undefined) return undefined;
  return {
    kind,
    name,
    ...(uid === undefined ? { by: "name" } : { uid, by: "uid" }),
    ...(part !== undefined && { role: part }),
  };
}

/** An object that owns the Job has precedence over what another system says. */
function seriesOf(
  job: JobIdentity,
  owners: readonly OwnerLink[],
  kinds: readonly RecognisedKind[],
): Series | undefined {
  const owner = owners.find(({ kind }) => isSeries(kind)) ?? addedSeriesOf(job, kinds);
  if (owner !== undefined) {
    const dueAt = cronRunOf(job)?.scheduledAt;
    const { kind, name, uid } = owner;
    return { kind, name, ...(uid !== undefined && { uid }), ...(dueAt !== undefined && { dueAt }) };
  }
  const [found] = kinds.flatMap(({ series }) => series ?? []);
  return found === undefined ? undefined : { kind: found.kind, name: found.name ?? job.name };
}

function addedSeriesOf({ owner }: JobIdentity, kinds: readonly RecognisedKind[]): Omit<Series, "dueAt"> | undefined {
  const [kind] = kinds.filter(isAddedSeries);
  return owner !== undefined && owner.kind === kind?.kind ? owner : kind && namedOwner(kind);
}
