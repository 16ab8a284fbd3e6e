import { type Api, jobPath } from "../../src/client/api-client.ts";
import { chooseCluster } from "./choose-cluster.ts";
import { jobNameOf } from "../options/job-argument.ts";
import type { PlaceOptions } from "../options/query-options.ts";

/** The path of a Job's answers, from what a command line says of it. */
export async function pathOfJob(
  api: Api,
  argument: string,
  { cluster, namespace }: PlaceOptions,
  part = "",
): Promise<string> {
  const name = jobNameOf(argument);
  return jobPath({ cluster: await chooseCluster(api, cluster), namespace, name }, part);
}
