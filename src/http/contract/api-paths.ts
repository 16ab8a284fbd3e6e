/** The values of the query of a request. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface JobLocation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

export interface RunLocation extends JobLocation {
  readonly kind: string;
}

/** The path of the answers about a run. */
export function runPath({ cluster, namespace, kind, name }: RunLocation, part = ""): string {
  const [inCluster, inNamespace, ofKind, named] = [cluster, namespace, kind, name].map(encodeURIComponent);
  return `/v1/clusters/${inCluster}/namespaces/${inNamespace}/runs/${ofKind}/${named}${part}`;
}

/** The path of the answers about a Job. */
export function jobPath(job: JobLocation, part = ""): string {
  const [cluster, namespace, name] = [job.cluster, job.namespace, job.name].map(encodeURIComponent);
  return `/v1/clusters/${cluster}/namespaces/${namespace}/jobs/${name}${part}`;
}

/** The path of the answer about the runs of a CronJob. */
export function cronRunsPath(cronJob: JobLocation): string {
  const [cluster, namespace, name] = [cronJob.cluster, cronJob.namespace, cronJob.name].map(encodeURIComponent);
  return `/v1/clusters/${cluster}/namespaces/${namespace}/cronjobs/${name}/runs`;
}

/** The path and the query of a request. */
export function pathWith(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}
