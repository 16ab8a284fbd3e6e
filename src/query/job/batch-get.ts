import * as v from "valibot";
import { jobAnswerSchema } from "../../explain/answer-document.ts";
import { type AnswerOf, text } from "../../explain/answer-parts.ts";
import { type ClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { JobRow } from "../../ports/job-row.ts";
import { isKnownCluster } from "../clusters/clusters.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";

/** One Job of a batch: by its uid, or the newest of a name. */
export type JobWanted =
  | { readonly by: "uid"; readonly uid: string }
  | { readonly by: "name"; readonly namespace: string; readonly name: string };

export interface BatchQuery {
  readonly cluster: ClusterName;
  readonly wanted: readonly JobWanted[];
}

/** The known Jobs as lists show them, and the references of the others. Both keep the order of the request. */
export const batchSchema = v.object({
  items: v.array(jobAnswerSchema),
  missing: v.pipe(v.array(text), v.description("The requested Jobs that were not found, as they were requested.")),
});
export type BatchAnswer = AnswerOf<typeof batchSchema>;

/** Each Job takes one read. */
export const MAX_BATCH = 100;

/** Jobs of one cluster by uid or name. Jobs outside of the reader's scope are missing, like unknown ones. */
export async function batchGet(ports: QueryPorts, scope: Scope, { cluster, wanted }: BatchQuery): Promise<BatchAnswer> {
  if (!(await isKnownCluster(ports.meta, scope, cluster))) return { items: [], missing: wanted.map(textOf) };
  const rows = await Promise.all(wanted.map((one) => readRow(ports, cluster, one)));
  const found = rows.map((row) => (row !== undefined && mayRead(scope, cluster, row.namespace) ? row : undefined));
  return {
    items: found.filter((row) => row !== undefined).map((row) => readSummary(row)),
    missing: wanted.filter((_, index) => found[index] === undefined).map(textOf),
  };
}

async function readRow({ jobs }: QueryPorts, cluster: ClusterName, wanted: JobWanted): Promise<JobRow | undefined> {
  switch (wanted.by) {
    case "uid": {
      const jobUid = decodeJobUid(wanted.uid);
      return jobUid === undefined ? undefined : (await jobs.read({ cluster, jobUid }))?.row;
    }
    case "name": {
      const { namespace, name } = wanted;
      return (await jobs.listByName({ cluster, namespace, name }, { limit: 1 })).rows[0];
    }
  }
}

function textOf(wanted: JobWanted): string {
  return wanted.by === "uid" ? wanted.uid : `${wanted.namespace}/${wanted.name}`;
}
