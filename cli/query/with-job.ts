import { type ApiClient, jobPath } from "../../src/client/api-client.ts";
import { NotFoundError } from "../../src/client/api-error.ts";
import { jobNameOf } from "../options/job-argument.ts";
import type { JobLocationOptions } from "../options/query-options.ts";
import { chooseCluster } from "./choose-cluster.ts";
import { namesakesText } from "./namesakes.ts";

export interface JobQuery {
  readonly api: ApiClient;
  /** NAME or job/NAME, as typed. */
  readonly argument: string;
  readonly options: JobLocationOptions;
}

/** Reads answers about one Job. If there is no such Job, the error names the namespaces that have one of this name. */
export async function withJob<Result>(
  { api, argument, options }: JobQuery,
  read: (pathOf: (part: string) => string) => Promise<Result>,
): Promise<Result> {
  const name = jobNameOf(argument);
  const job = { cluster: await chooseCluster(api, options.cluster), namespace: options.namespace, name };
  try {
    return await read((part) => jobPath(job, part));
  } catch (cause) {
    if (!(cause instanceof NotFoundError)) throw cause;
    const advice = await namesakesText(api, job);
    throw advice === "" ? cause : new NotFoundError(`${cause.message} ${advice}`, { cause, status: 404 });
  }
}
