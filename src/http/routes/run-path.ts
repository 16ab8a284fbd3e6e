import * as v from "valibot";
import type { RunReference, UnknownRun } from "../../query/runs/find-run.ts";
import { clusterParameter, nameParameter, textParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

/** The path of one run, and the parameters of every route below it. */
export const RUN_TEMPLATE = "/v1/clusters/{cluster}/namespaces/{namespace}/runs/{kind}/{name}";
export const RUN_PATH = {
  cluster: clusterParameter,
  namespace: nameParameter("Namespace of the run."),
  kind: nameParameter("Kind of the run: `jobset`, `jobsets.jobset.x-k8s.io`."),
  name: textParameter("Name of the run, percent-encoded: it may be an id of another system."),
};
export const RUN_UID_QUERY = {
  uid: v.exactOptional(nameParameter("Uid of the run, if several had this name. Defaults to the newest.")),
};

/** The problem for an unknown run: suggests similar ones. */
export function unknownRun({ cluster, namespace, kind, name, uid }: RunReference, unknown: UnknownRun): Problem {
  if (unknown.outcome === "unknownCluster") {
    const known =
      unknown.near.length === 0 ? "No cluster has sent data yet." : `Known clusters: ${unknown.near.join(", ")}.`;
    return problem("no-such-cluster", `Cluster ${JSON.stringify(cluster)} not found. ${known}`);
  }
  const which = uid === undefined ? "" : ` with uid ${JSON.stringify(uid)}`;
  const where = `in namespace ${JSON.stringify(namespace)} of cluster ${JSON.stringify(cluster)}`;
  const near = unknown.near.length === 0 ? "" : ` Did you mean ${unknown.near.join(", ")}?`;
  return problem("no-such-run", `Run ${JSON.stringify(`${kind}/${name}`)}${which} not found ${where}.${near}`);
}
