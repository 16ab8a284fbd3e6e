import { type ApiClient, jobPath } from "../../src/host/client/api-client.ts";
import { jobNameOf } from "../options/job-argument.ts";
import type { JobLocationOptions } from "../options/query-options.ts";
import { chooseCluster } from "./choose-cluster.ts";

export interface JobQuery {
  readonly api: ApiClient;
  /** NAME or job/NAME, as typed. */
  readonly argument: string;
  readonly options: JobLocationOptions;
}

/** Reads answers about one Job; `pathOf` gives the paths below the Job. */
export async function withJob<Result>(
  { api, argument, options }: JobQuery,
  read: (pathOf: (part: string) => string) => Promise<Result>,
): Promise<Result> {
  const name = jobNameOf(argument);
  const job = { cluster: await chooseCluster(api, options.cluster), namespace: options.namespace, name };
  return read((part) => jobPath(job, part));
}
