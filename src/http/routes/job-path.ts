import * as v from "valibot";
import type { JobReference, UnknownJob } from "../../query/job/find-job.ts";
import { clusterParameter, textParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** Where one Job lives, and the parameters that every question about one Job takes. */
export const JOB_TEMPLATE = "/v1/clusters/{cluster}/namespaces/{namespace}/jobs/{name}";
export const JOB_PATH = {
  cluster: clusterParameter,
  namespace: textParameter("Namespace of the Job."),
  name: textParameter("Name of the Job."),
};
export const UID_QUERY = {
  uid: v.exactOptional(textParameter("Which incarnation of the name; the newest unless said.")),
};

/** What to answer where the Job is not known: what is near, and where its name is in use. */
export function unknownJob(wanted: JobReference, unknown: UnknownJob): Problem {
  switch (unknown.outcome) {
    case "unknownCluster":
      return problem(
        "no-such-cluster",
        `No cluster ${JSON.stringify(wanted.cluster)} is known${choice(unknown.near, "Known: ")}.`,
      );
    case "unknownJob":
      return problem("no-such-job", [missing(wanted), ...hints(wanted, unknown)].join(" "));
  }
}

function missing({ cluster, namespace, name, uid }: JobReference): string {
  const which = uid === undefined ? "" : ` with uid ${JSON.stringify(uid)}`;
  return `No Job ${JSON.stringify(name)}${which} is known in namespace ${JSON.stringify(namespace)} of cluster ${JSON.stringify(cluster)}.`;
}

function hints({ namespace, uid }: JobReference, unknown: UnknownJob & { outcome: "unknownJob" }): readonly string[] {
  return [
    ...(uid !== undefined && unknown.generations.length > 0
      ? [`The name has had: ${unknown.generations.map((generation) => generation.uid).join(", ")}.`]
      : []),
    ...(unknown.elsewhere.length > 0
      ? [`Namespace ${unknown.elsewhere.join(", ")} has a Job of this name, ${namespace} has not.`]
      : []),
    ...(unknown.near.length > 0 ? [`Did you mean ${unknown.near.join(", ")}?`] : []),
  ];
}

function choice(names: readonly string[], before: string): string {
  return names.length === 0 ? "; none has sent anything yet" : `. ${before}${names.join(", ")}`;
}
