import { type Api, jobPath } from "./api.ts";
import { chooseCluster } from "./choose-cluster.ts";
import { jobNameOf } from "./job-argument.ts";
import type { PlaceOptions } from "./question-options.ts";

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
