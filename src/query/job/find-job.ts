import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { STATES } from "../../job/model/states.ts";
import { type ClusterName, decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import type { JobRow, StoredJob } from "../../ports/job-row.ts";
import { clusterNames, isKnownCluster } from "../clusters/clusters.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import { NO_SUGGESTIONS, suggestJobs, type Suggestions } from "./suggest-jobs.ts";

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

export const generationSchema = v.pipe(
  v.object({ uid: text, createdAt: instant, finishedAt: maybe(instant), state: v.picklist(STATES) }),
  v.description("One of several Jobs with the same name."),
);
export type Generation = AnswerOf<typeof generationSchema>;

type JobState = Pick<StoredJob, "bytes" | "version">;

/** A Job by its name, with its state. */
export interface NamedJob {
  readonly outcome: "found";
  readonly jobUid: JobUid;
  readonly stored: JobState;
  /** All Jobs of this name, newest first, if there are several; otherwise empty. */
  readonly generations: readonly Generation[];
}
export type FoundJob = NamedJob | UnknownJob;
export type UnknownJob =
  | { readonly outcome: "unknownCluster"; readonly near: readonly string[] }
  /** `generations`: the Jobs of this name that have other uids. */
  | ({ readonly outcome: "unknownJob"; readonly generations: readonly Generation[] } & Suggestions);

/** No Job has this name, or no Job of this name has the uid. */
export interface NoSuchName {
  readonly outcome: "none";
  readonly generations: readonly Generation[];
}

/** The most generations in an answer. `outlive jobs --name` lists older ones. */
const MAX_GENERATIONS = 50;

/**
 * The newest Job of the name, or the one with the uid. For an unknown Job, the result suggests others. On DynamoDB, it
 * takes at most 6 requests to suggest them, however many namespaces and Jobs the cluster has.
 */
export async function findJob(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<FoundJob> {
  const found = await findByName(ports, scope, wanted);
  if (found.outcome === "found") return found;
  if (!(await isKnownCluster(ports.meta, scope, wanted.cluster))) {
    return { outcome: "unknownCluster", near: await clusterNames(ports.meta, scope) };
  }
  const { generations } = found;
  // The uids of other Jobs with the name are the best suggestion: a caller that gives a uid has not mistyped the name.
  const isTyped = generations.length === 0 && wanted.uid === undefined;
  const suggested = isTyped ? await suggestJobs(ports, scope, wanted) : NO_SUGGESTIONS;
  return { outcome: "unknownJob", generations, ...suggested };
}

/** The same without suggestions, for callers that ask repeatedly. */
export async function findByName(
  ports: QueryPorts,
  scope: Scope,
  wanted: JobReference,
): Promise<NamedJob | NoSuchName> {
  const { cluster, namespace, name } = wanted;
  if (!mayRead(scope, cluster, namespace)) return { outcome: "none", generations: [] };
  const options = { limit: MAX_GENERATIONS, withStates: true };
  const { rows } = await ports.jobs.listByName({ cluster, namespace, name }, options);
  const generations = rows.length > 1 ? rows.map(describeGeneration) : [];
  const row = wanted.uid === undefined ? rows[0] : rows.find(({ jobUid }) => jobUid === wanted.uid);
  if (row?.stored !== undefined) return { outcome: "found", jobUid: row.jobUid, stored: row.stored, generations };
  const older = await olderGeneration(ports, wanted);
  return older === undefined
    ? { outcome: "none", generations: rows.map(describeGeneration) }
    : { outcome: "found", ...older, generations };
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

function describeGeneration(row: JobRow & { readonly jobUid: JobUid }): Generation {
  const { uid, createdAt, finishedAt, verdict } = readSummary(row);
  return { uid, createdAt, ...(finishedAt !== undefined && { finishedAt }), state: verdict.state };
}
