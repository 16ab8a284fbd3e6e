import type { ApiClient } from "../../src/host/client/api-client.ts";
import { jobPath, runPath } from "../../src/http/contract/api-paths.ts";
import { jobNameOf, targetOf } from "../options/job-argument.ts";
import type { JobLocationOptions } from "../options/query-options.ts";
import { chooseCluster } from "./choose-cluster.ts";

export interface JobQuery {
  readonly api: ApiClient;
  /** NAME or job/NAME, as typed. */
  readonly argument: string;
  readonly options: JobLocationOptions;
}

/** The path of a part of a Job or of a run. */
export type PathOf = (part: string) => string;

/** Reads answers about one Job; `pathOf` gives the paths below the Job. */
export async function withJob<Result>(
  { api, argument, options }: JobQuery,
  read: (pathOf: PathOf) => Promise<Result>,
): Promise<Result> {
  const name = jobNameOf(argument);
  const job = { cluster: await chooseCluster(api, options.cluster), namespace: options.namespace, name };
  return read((part) => jobPath(job, part));
}

/** What to read about a Job, and what about a run. */
export interface Reads<Result> {
  readonly job: (pathOf: PathOf) => Promise<Result>;
  readonly run: (pathOf: PathOf) => Promise<Result>;
}

/** Reads answers about a Job, or about a run: `jobset/NAME`. */
export async function withTarget<Result>(
  { api, argument, options }: JobQuery,
  { job, run }: Reads<Result>,
): Promise<Result> {
  const target = targetOf(argument);
  const { namespace } = options;
  const place = { cluster: await chooseCluster(api, options.cluster), namespace, name: target.name };
  if (target.type === "job") return job((part) => jobPath(place, part));
  const { kind } = target;
  return run((part) => runPath({ ...place, kind }, part));
}
