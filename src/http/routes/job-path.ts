import * as v from "valibot";
import type { JobReference, UnknownJob } from "../../query/job/find-job.ts";
import { clusterParameter, nameParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** The path of one Job, and the parameters of every route below it. */
export const JOB_TEMPLATE = "/v1/clusters/{cluster}/namespaces/{namespace}/jobs/{name}";
export const JOB_PATH = {
  cluster: clusterParameter,
  namespace: nameParameter("Namespace of the Job."),
  name: nameParameter("Name of the Job."),
};
export const UID_QUERY = {
  uid: v.exactOptional(nameParameter("Uid of the Job, if several Jobs had this name. Defaults to the newest.")),
};

/** The problem for an unknown Job: suggests similar names, and namespaces that have a Job of this name. */
export function unknownJob(wanted: JobReference, unknown: UnknownJob): Problem {
  switch (unknown.outcome) {
    case "unknownCluster":
      return problem(
        "no-such-cluster",
        `Cluster ${JSON.stringify(wanted.cluster)} not found. ${knownClusters(unknown.near)}`,
      );
    case "unknownJob":
      return problem("no-such-job", [missing(wanted), ...hints(wanted, unknown)].join(" "));
  }
}

function missing({ cluster, namespace, name, uid }: JobReference): string {
  const which = uid === undefined ? "" : ` with uid ${JSON.stringify(uid)}`;
  return (
    `Job ${JSON.stringify(name)}${which} not found in namespace ` +
    `${JSON.stringify(namespace)} of cluster ${JSON.stringify(cluster)}.`
  );
}

function hints({ namespace, uid }: JobReference, unknown: UnknownJob & { outcome: "unknownJob" }): readonly string[] {
  return [
    ...(uid !== undefined && unknown.generations.length > 0
      ? [`Jobs with this name had the uids ${unknown.generations.map((generation) => generation.uid).join(", ")}.`]
      : []),
    ...elsewhereHint(namespace, unknown.elsewhere),
    ...(unknown.near.length > 0 ? [`Did you mean ${unknown.near.join(", ")}?`] : []),
  ];
}

function elsewhereHint(namespace: string, elsewhere: readonly string[] | undefined): readonly string[] {
  if (elsewhere === undefined) return ["To look in all namespaces, list Jobs by name."];
  if (elsewhere.length === 0) return [];
  return [`A Job with this name exists in namespace ${elsewhere.join(", ")}, not in ${namespace}.`];
}

function knownClusters(names: readonly string[]): string {
  return names.length === 0 ? "No cluster has sent data yet." : `Known clusters: ${names.join(", ")}.`;
}
