import type { JobRow } from "../ports/job-row.ts";
import type { JobKey } from "../ports/jobs.ts";
import { namespaceKey } from "../ports/meta-key.ts";
import type { MetaStore } from "../ports/meta.ts";
import { noteNamespace } from "./project-cluster.ts";

interface NotedPorts {
  readonly meta: MetaStore;
  readonly jobsOnly?: boolean;
  readonly notedNamespaces?: Set<string>;
}

interface ListedRow {
  readonly row: Pick<JobRow, "namespace"> | undefined;
  readonly known: Pick<JobRow, "namespace"> | undefined;
}

/** The namespace is written first: what is in an unknown namespace would be missing from every list. */
export async function noteIfUnlisted(
  { meta, jobsOnly, notedNamespaces }: NotedPorts,
  { cluster }: JobKey,
  { row, known }: ListedRow,
): Promise<void> {
  if (jobsOnly === true || row === undefined || row.namespace === known?.namespace) return;
  const key = namespaceKey(cluster, row.namespace);
  if (notedNamespaces?.has(key) === true) return;
  await noteNamespace(meta, cluster, row.namespace);
  notedNamespaces?.add(key);
}
