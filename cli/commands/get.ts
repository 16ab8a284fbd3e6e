import type { Command } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Generation } from "../../src/query/job/find-job.ts";
import { type Api, ask, askPages, jobPath } from "../../src/client/api-client.ts";
import { chooseCluster } from "../query/choose-cluster.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { jobNameOf } from "../options/job-argument.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { withApi } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import {
  addPlaceOptions,
  addQuestionOptions,
  type PlaceOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";

interface GetOptions extends SourceOptions, PrintOptions, PlaceOptions {
  readonly uid?: string;
  readonly asOf?: string;
  readonly pods?: true;
}
type OneJob = JobAnswer & { readonly generations?: readonly Generation[] };

export function define(command: Command): void {
  command
    .argument("<job...>", "NAME or job/NAME")
    .option("--uid <uid>", "this incarnation of the name; the newest unless said")
    .option("--as-of <time>", "the Job as it was known to be then (RFC 3339)")
    .option("--pods", "with the attempts, in -o json and -o yaml");
  addQuestionOptions(addPlaceOptions(command)).action(async (names: readonly string[], options: GetOptions) =>
    withApi(options, (api) => printJobs(api, names.map(jobNameOf), options)),
  );
  addExamples(command, [
    ["outlive get job/report -n batch", "one Job"],
    ["outlive get report -n batch -o yaml --pods", "all that is known of it, attempts too"],
    ["outlive get report -n batch --as-of 2025-01-31T08:00:00Z", "what was known of it then"],
  ]);
}

async function printJobs(api: Api, names: readonly string[], options: GetOptions): Promise<void> {
  const cluster = await chooseCluster(api, options.cluster);
  const jobs: OneJob[] = [];
  const unknown: CommandFailure[] = [];
  for (const name of names) {
    try {
      jobs.push(await getJob(api, { cluster, namespace: options.namespace, name }, options));
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitStatus !== 1) throw error;
      unknown.push(error);
    }
  }
  if (jobs.length > 0) {
    await printAnswer(options, {
      document: names.length === 1 ? jobs[0] : { items: jobs },
      rows: jobs,
      columns: jobColumns(Date.now(), { cluster: false, namespace: false }),
      name: jobResourceName,
    });
  }
  if (isForPeople(options)) jobs.forEach((job) => remarkOn(job, options));
  refuseUnknown(unknown);
}

/** Those that are known were printed, as kubectl does; the others are named, and the answer is no. */
function refuseUnknown(unknown: readonly CommandFailure[]): void {
  const [first, ...others] = unknown;
  if (first === undefined) return;
  throw others.length === 0 ? first : new CommandFailure(1, unknown.map(({ message }) => message).join(" "));
}

async function getJob(
  api: Api,
  place: { cluster: string; namespace: string; name: string },
  { uid, asOf, pods }: GetOptions,
): Promise<OneJob> {
  const job = await ask<OneJob>(api, jobPath(place), { uid, asOf });
  if (pods !== true) return job;
  const { items } = await askPages<NonNullable<JobAnswer["attempts"]>[number]>(
    api,
    jobPath(place, "/pods"),
    { uid: job.uid },
    Number.POSITIVE_INFINITY,
  );
  return { ...job, attempts: items };
}

function remarkOn({ name, generations = [], uid }: OneJob, options: GetOptions): void {
  if (generations.length < 2 || options.uid !== undefined) return;
  remark(
    `The name ${name} was used ${generations.length} times; this is ${uid}. Others: outlive jobs --name ${name} -n ${options.namespace} -o wide`,
  );
}
