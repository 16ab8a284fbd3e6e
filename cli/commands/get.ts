import type { Command } from "commander";
import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { staleText } from "../../src/explain/state-text.ts";
import { usageText } from "../../src/explain/usage/usage-text.ts";
import type { Generation } from "../../src/query/job/find-job.ts";
import { type ApiClient, getJson, getItems } from "../../src/host/client/api-client.ts";
import { chooseCluster } from "../query/choose-cluster.ts";
import { withJob, withTarget } from "../query/with-job.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { targetOf } from "../options/job-argument.ts";
import { runColumns, runResourceName } from "../output/run-columns.ts";
import { NotFoundError } from "../../src/host/client/api-error.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addJobLocationOptions,
  addQueryOptions,
  archiveOption,
  type JobLocationOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";

interface GetOptions extends SourceOptions, PrintOptions, JobLocationOptions {
  readonly uid?: string;
  readonly asOf?: string;
  readonly pods?: true;
}
type OneRun = RunAnswer & { readonly otherUids?: readonly string[] };
type OneJob = JobAnswer & { readonly generations?: readonly Generation[] };

export function define(command: Command): void {
  command
    .argument("<job...>", "NAME or job/NAME, or runs: jobset/NAME")
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)")
    .addOption(timeOption("--as-of <time>", `what was known about the Job at this time (${TIME_FORM})`))
    .option("--pods", "include its Pods in -o json and -o yaml");
  addQueryOptions(addJobLocationOptions(command).addOption(archiveOption())).action(
    async (names: readonly string[], options: GetOptions) =>
      withClient(options, (api) => printTargets(api, names, options)),
  );
  addExamples(command, [
    ["outlive get job/report -n batch", "show one Job"],
    ["outlive get jobset/train -n ml", "show one run"],
    ["outlive get report -n batch -o yaml --pods", "print all data about it, with its Pods"],
    ["outlive get report -n batch --as-of 2025-01-31T08:00:00Z", "show what was known at that time"],
  ]);
}

async function printTargets(api: ApiClient, names: readonly string[], options: GetOptions): Promise<void> {
  const runs = names.filter((name) => targetOf(name).type === "run");
  if (runs.length === 0) return printJobs(api, names, options);
  if (runs.length < names.length) throw new CommandFailure(2, `Name Jobs or runs: ${runs[0]} is a run.`);
  const option = options.asOf !== undefined ? "--as-of" : options.pods === true ? "--pods" : undefined;
  if (option !== undefined) throw new CommandFailure(2, `${option} is for Jobs, and ${runs[0]} is a run.`);
  return printRuns(api, names, options);
}

async function printRuns(api: ApiClient, names: readonly string[], options: GetOptions): Promise<void> {
  const { uid } = options;
  const { found, unknown } = await eachKnown(names, (argument) =>
    withTarget({ api, argument, options }, { job: noJob, run: (pathOf) => getJson<OneRun>(api, pathOf(""), { uid }) }),
  );
  if (found.length > 0) {
    const isCsv = options.output === "csv";
    await printAnswer(options, {
      document: names.length === 1 ? found[0] : { items: found },
      rows: found,
      columns: runColumns(Date.now(), { cluster: isCsv, namespace: isCsv }),
      name: runResourceName,
    });
  }
  if (isForPeople(options)) found.forEach(remarkOnRun);
  failForUnknown(unknown);
}

function remarkOnRun({ name, kind, uid = "one of them", otherUids = [], usage }: OneRun): void {
  remarkOnUsage(usage);
  if (otherUids.length === 0) return;
  const others = otherUids.slice(0, 3).join(", ");
  remark(`${otherUids.length + 1} runs had the name ${kind}/${name}; this is ${uid}. Others: --uid ${others}.`);
}

async function noJob(): Promise<never> {
  throw new CommandFailure(2, "Name runs as KIND/NAME.");
}

interface Known<Answer> {
  readonly found: readonly Answer[];
  readonly unknown: readonly NotFoundError[];
}

async function eachKnown<Answer>(
  names: readonly string[],
  read: (name: string) => Promise<Answer>,
): Promise<Known<Answer>> {
  const found: Answer[] = [];
  const unknown: NotFoundError[] = [];
  for (const name of names) {
    try {
      found.push(await read(name));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      unknown.push(error);
    }
  }
  return { found, unknown };
}

async function printJobs(api: ApiClient, names: readonly string[], options: GetOptions): Promise<void> {
  const cluster = await chooseCluster(api, options.cluster);
  const { found: jobs, unknown } = await eachKnown(names, (name) => getJob(api, name, { ...options, cluster }));
  if (jobs.length > 0) {
    await printAnswer(options, {
      document: names.length === 1 ? jobs[0] : { items: jobs },
      rows: jobs,
      columns: jobColumns(parseInstant(options.asOf) ?? Date.now(), {
        cluster: options.output === "csv",
        namespace: options.output === "csv",
        expected: true,
      }),
      name: jobResourceName,
    });
  }
  const stale = staleText(jobs);
  if (stale !== undefined && isForPeople(options)) remark(stale);
  if (isForPeople(options)) jobs.forEach((job) => remarkOn(job, options));
  failForUnknown(unknown);
}

/** Like kubectl, `get` prints the known Jobs and fails for the others. */
function failForUnknown(unknown: readonly NotFoundError[]): void {
  const [first, ...others] = unknown;
  if (first === undefined) return;
  throw others.length === 0 ? first : new CommandFailure(1, unknown.map(({ message }) => message).join(" "));
}

async function getJob(api: ApiClient, argument: string, options: GetOptions): Promise<OneJob> {
  const { uid, asOf, pods } = options;
  return withJob({ api, argument, options }, async (pathOf) => {
    const job = await getJson<OneJob>(api, pathOf(""), { uid, asOf });
    if (pods !== true) return job;
    const { items } = await getItems<Attempt>(api, pathOf("/pods"), { uid: job.uid });
    return { ...job, attempts: items };
  });
}

function remarkOn(job: OneJob, options: GetOptions): void {
  remarkOnAge(job, options);
  remarkOnUsage(job.usage);
}

function remarkOnUsage(usage: JobAnswer["usage"]): void {
  const reserved = usage && usageText(usage);
  if (reserved !== undefined) remark(reserved);
}

function remarkOnAge({ name, generations = [], uid, asOf }: OneJob, options: GetOptions): void {
  if (asOf.bound === "lower" && options.asOf === undefined) {
    remark(`This answer is as of ${asOf.time} or later: the objects of the cluster have no managedFields.`);
  } else if (asOf.bound === "lower") {
    remark(
      `Some arrival times of facts about ${name} are unknown: this state may have become true later than ${asOf.time}.`,
    );
  }
  if (generations.length < 2 || options.uid !== undefined) return;
  remark(
    `${generations.length} Jobs had the name ${name}; this is ${uid}. ` +
      `List all: outlive jobs --name ${name} -n ${options.namespace} -o wide`,
  );
}
