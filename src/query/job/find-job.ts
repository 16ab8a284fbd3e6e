import { type ClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { JobRow, StoredJob } from "../../ports/jobs.ts";
import { clusterNames, isKnownCluster, namespacesOf } from "../clusters/clusters.ts";
import { nearestNames } from "../../text/nearest-names.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readSummary } from "../list/summary-row.ts";

/** The name of a Job. The uid selects one of several Jobs that had this name. */
export interface JobReference {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** A Job, and what the reader has access to. */
export interface ScopedReference {
  readonly scope: Scope;
  readonly wanted: JobReference;
}

/** One of the Jobs that had the same name. */
export interface Generation {
  readonly uid: string;
  readonly createdAt: string;
  readonly finishedAt?: string;
  readonly state: string;
}

type JobState = Pick<StoredJob, "bytes" | "version">;

export type FoundJob =
  | {
      readonly outcome: "found";
      readonly jobUid: JobUid;
      readonly stored: JobState;
      readonly generations: readonly Generation[];
    }
  | UnknownJob;
export type UnknownJob =
  | { readonly outcome: "unknownCluster"; readonly near: readonly string[] }
  /** `elsewhere`: namespaces with a Job of this name. `generations`: the Jobs of this name that have other uids. */
  | {
      readonly outcome: "unknownJob";
      readonly near: readonly string[];
      readonly elsewhere: readonly string[];
      readonly generations: readonly Generation[];
    };

/** The most generations in an answer. `outlive jobs --name` lists older ones. */
const MAX_GENERATIONS = 50;
/** How many of the newest Jobs, and how many namespaces, are read to suggest similar names. */
const MAX_SUGGESTION_READS = 500;

/** The newest Job of the name, or the one with the uid. For an unknown Job, the result suggests others. */
export async function findJob(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<FoundJob> {
  const { cluster, namespace, name } = wanted;
  if (!(await isKnownCluster(ports.meta, scope, cluster))) {
    return { outcome: "unknownCluster", near: await clusterNames(ports.meta, scope) };
  }
  const rows = mayRead(scope, cluster, namespace)
    ? (await ports.jobs.listByName({ cluster, namespace, name }, { limit: MAX_GENERATIONS, withStates: true })).rows
    : [];
  const generations = rows.map(describeGeneration);
  const row = wanted.uid === undefined ? rows[0] : rows.find(({ jobUid }) => jobUid === wanted.uid);
  if (row?.stored !== undefined) return { outcome: "found", jobUid: row.jobUid, stored: row.stored, generations };
  const older = mayRead(scope, cluster, namespace) ? await olderGeneration(ports, wanted) : undefined;
  if (older !== undefined) return { outcome: "found", ...older, generations };
  const [near, elsewhere] = await Promise.all([namesNear(ports, scope, wanted), namespacesWith(ports, scope, wanted)]);
  return { outcome: "unknownJob", near, elsewhere, generations };
}

/** A generation by its uid, older than the listed ones. */
async function olderGeneration(
  { jobs }: QueryPorts,
  wanted: JobReference,
): Promise<{ readonly jobUid: JobUid; readonly stored: JobState } | undefined> {
  const jobUid = decodeJobUid(wanted.uid);
  if (jobUid === undefined) return undefined;
  const stored = await jobs.read({ cluster: wanted.cluster, jobUid });
  const isWanted = stored?.row?.name === wanted.name && stored.row.namespace === wanted.namespace;
  return isWanted ? { jobUid, stored } : undefined;
}

async function namesNear({ jobs }: QueryPorts, scope: Scope, { cluster, namespace, name }: JobReference) {
  if (!mayRead(scope, cluster, namespace)) return [];
  const pages = await Promise.all(
    (["A", "F"] as const).map((phase) => jobs.list({ cluster, namespace, phase }, { limit: MAX_SUGGESTION_READS })),
  );
  const names = pages.flatMap(({ rows }) => rows.map((row) => row.name));
  return nearestNames(
    name,
    names.filter((known) => known !== name),
  );
}

async function namespacesWith({ jobs, meta }: QueryPorts, scope: Scope, { cluster, namespace, name }: JobReference) {
  const others = (await namespacesOf(meta, scope, cluster))
    .filter((other) => other !== namespace)
    .slice(0, MAX_SUGGESTION_READS);
  const pages = await Promise.all(
    others.map((other) => jobs.listByName({ cluster, namespace: other, name }, { limit: 1 })),
  );
  return others.filter((_, index) => (pages[index]?.rows.length ?? 0) > 0);
}

function describeGeneration(row: JobRow & { readonly jobUid: JobUid }): Generation {
  const { uid, createdAt, finishedAt, verdict } = readSummary(row);
  return { uid, createdAt, ...(finishedAt !== undefined && { finishedAt }), state: verdict.state };
}
