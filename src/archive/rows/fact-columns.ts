import { canonical } from "../../job/model/canonical.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { instantOf } from "../../job/model/fact-instant.ts";
import { type Fact, isJobFact } from "../../job/model/fact.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { type Column, columns, type TableRow } from "../parquet/column.ts";

/** Table `facts`: one row per fact. `fact` is the whole fact as JSON, the other columns repeat parts of it. */
export const FACT_COLUMNS: readonly Column[] = [
  ...columns("text", "cluster", "kind"),
  ...columns("instant", "time"),
  ...columns("long", "epoch", "resource_version"),
  ...columns("text", "namespace", "name", "job_uid", "pod_uid", "fact", "segment"),
  ...columns("whole", "revision"),
];

export interface ArchivedFact {
  readonly cluster: ClusterName;
  readonly fact: Fact;
  /** The sort key of its segment in the log. */
  readonly segment: string;
  readonly revision: ArchiveHour;
}

export function factRow({ cluster, fact, segment, revision }: ArchivedFact): TableRow {
  const { kind, epoch, resourceVersion } = fact;
  return {
    cluster,
    kind,
    epoch,
    segment,
    revision,
    time: instantOf(fact),
    resource_version: resourceVersion,
    ...nameOf(fact),
    ...(isJobFact(fact) && { job_uid: fact.jobUid }),
    ...("podUid" in fact && { pod_uid: fact.podUid }),
    fact: canonical(fact),
  };
}

/** The object that a fact names, or that a hint is about. */
function nameOf(fact: Fact): TableRow {
  if ("target" in fact) return { namespace: fact.target.namespace, name: fact.target.name };
  if ("namespaceUid" in fact) return { namespace: fact.namespace };
  if ("namespace" in fact) return { namespace: fact.namespace, name: fact.name };
  // `isJobFact` is checked first because PodScheduled also has a `node`: the Node of a Pod.
  return isJobFact(fact) || !("node" in fact) ? {} : { name: fact.node };
}
