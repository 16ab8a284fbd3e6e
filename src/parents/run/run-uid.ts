import { createHash } from "node:crypto";
import type { Owner } from "../../job/model/fact.ts";
import { isSeries } from "../kinds.ts";
import { type JobIdentity, kindsOfJob, lineageOf } from "../lineage.ts";
import type { RecognisedKind } from "../recognised-kind.ts";

/** What a run is called, if only names say what its Jobs belong to. */
export interface NamedRun {
  readonly kind: string;
  readonly name: string;
}

/** The run that a Job is part of. */
export interface RunOfJob {
  /** The uid under which the run is stored. */
  readonly uid: string;
  /** Absent if the nearest object has a uid. */
  readonly named?: NamedRun;
}

type NamespacedJob = JobIdentity & { readonly namespace: string; readonly owner?: Owner };

/**
 * The run of a Job, by the nearest object that it belongs to: objects above that one may be observed late, or never.
 * Without an object of a known uid, by what its keys name. `undefined` if the Job is a run of its own.
 */
export function runOfJob(job: NamespacedJob): RunOfJob | undefined {
  const lineage = lineageOf(job);
  const owner = starterIn(lineage.owners);
  if (owner !== undefined) return { uid: owner.uid };
  const named = lineage.run ?? workOf(kindsOfJob(job), hasSeveralJobs);
  if (named === undefined) return undefined;
  const { kind, name } = named;
  return { uid: namedRunUid(job.namespace, named), named: { kind, name } };
}

/** The nearest of the owners of a Job under whose uid a run is stored. */
export function starterIn<Of extends { readonly kind: string; readonly uid?: string | undefined }>(
  owners: readonly Of[],
): (Of & { readonly uid: string }) | undefined {
  return owners.find(
    (owner): owner is Of & { readonly uid: string } => owner.uid !== undefined && !isSeries(owner.kind),
  );
}

interface Named extends NamedRun {
  /** In what its name is unique, besides its namespace. */
  readonly within?: string | undefined;
}

/** The work of another system, by its first id. */
export function workOf(
  kinds: readonly RecognisedKind[],
  isWanted: (kind: RecognisedKind) => boolean = () => true,
): Named | undefined {
  const found = kinds.find(isWanted);
  return found?.work === undefined ? undefined : { kind: found.kind, name: found.work, within: found.within };
}

/** Each Job of a hook is a run, and so is each Job of a runner. */
function hasSeveralJobs({ resource, alone }: RecognisedKind): boolean {
  return resource === undefined && alone !== true;
}

/** A valid uid for any text in the parts. */
export function namedRunUid(namespace: string, { kind, name, within }: Named): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, namespace, name, within]))
    .digest("hex");
}
