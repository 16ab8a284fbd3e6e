import { type Command, InvalidArgumentError, Option } from "commander";
import type { JobAnswer } from "../../src/job/answer.ts";
import { type Api, askPages, type Query } from "../api.ts";
import { jobColumns, jobResourceName } from "../job-columns.ts";
import { withApi } from "../open-api.ts";
import { isForPeople, printAnswer, remark } from "../print-answer.ts";
import {
  addExamples,
  addQuestionOptions,
  clusterOption,
  namespaceOption,
  type PrintOptions,
  type SourceOptions,
} from "../question-options.ts";

interface JobsOptions extends SourceOptions, PrintOptions {
  readonly namespace: string;
  readonly allNamespaces?: true;
  readonly cluster?: string;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly name?: string;
  readonly state?: readonly string[];
  readonly owner?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly startedAfter?: string;
  readonly startedBefore?: string;
  readonly finishedAfter?: string;
  readonly finishedBefore?: string;
  readonly deletedAfter?: string;
  readonly deletedBefore?: string;
  readonly attention?: true;
  readonly limit: number;
  readonly sort: string;
  readonly watch?: true;
}

const STANDARD_LIMIT = 500;

export function define(command: Command): void {
  addJobFilterOptions(command)
    .addOption(
      new Option("--sort <order>", "by creation: -createdAt newest first, createdAt oldest first")
        .choices(["-createdAt", "createdAt"])
        .default("-createdAt"),
    )
    .option("--limit <number>", "print at most this many; 0 prints all", readLimit, STANDARD_LIMIT)
    .option("-w, --watch", "then go on printing verdicts that become others, until Ctrl-C");
  addQuestionOptions(command).action(async (options: JobsOptions) =>
    withApi(options, async (api) => {
      await printJobs(api, options);
      if (options.watch !== true) return;
      const { follow } = await import("./changes.ts");
      await follow(api, { ...options, limit: STANDARD_LIMIT });
    }),
  );
  addExamples(command, [
    ["outlive jobs", "Jobs of namespace default"],
    ["outlive jobs -A -o wide", "all of them, with what became of their Pods"],
    ["outlive jobs -A --attention", "those that need a person"],
    ["outlive jobs -n batch --state Failed -l 'team in (data,ml)'", "failed Jobs of two teams"],
    ["outlive jobs -A --finished-after 2025-01-31T00:00:00Z -o json", "a document for a program"],
  ]);
}

/** The filters of `jobs` and `summary`. */
export function addJobFilterOptions(command: Command): Command {
  return command
    .addOption(namespaceOption("Jobs of this namespace"))
    .option("-A, --all-namespaces", "Jobs of all namespaces")
    .addOption(clusterOption("Jobs of this cluster; all clusters unless said"))
    .option("-l, --selector <selector>", "labels, as kubectl takes them: app=a,tier in (web,db),!legacy")
    .option("--field-selector <selector>", "fields: metadata.name, metadata.namespace, status.successful, state")
    .option("--name <name>", "exact name: every incarnation of it")
    .option(
      "--state <state...>",
      "Pending, Running, Suspended, Complete, Failed, Deleted or Unknown; several with commas",
    )
    .option("--owner <owner>", "the controller that owns the Job: name, kind/name or uid")
    .option("--created-after <time>", "RFC 3339 time, such as 2025-01-31T08:00:00Z")
    .option("--created-before <time>", "RFC 3339 time")
    .option("--started-after <time>", "RFC 3339 time")
    .option("--started-before <time>", "RFC 3339 time")
    .option("--finished-after <time>", "RFC 3339 time")
    .option("--finished-before <time>", "RFC 3339 time")
    .option("--deleted-after <time>", "RFC 3339 time")
    .option("--deleted-before <time>", "RFC 3339 time")
    .option("--attention", "only Jobs that need a person");
}

export function jobFilterQuery(options: Omit<JobsOptions, "limit" | "sort" | "watch">): Query {
  return {
    cluster: options.cluster,
    namespace: options.allNamespaces === true ? undefined : options.namespace,
    name: options.name,
    state: options.state?.join(","),
    labelSelector: options.selector,
    fieldSelector: options.fieldSelector,
    owner: options.owner,
    createdAfter: options.createdAfter,
    createdBefore: options.createdBefore,
    startedAfter: options.startedAfter,
    startedBefore: options.startedBefore,
    finishedAfter: options.finishedAfter,
    finishedBefore: options.finishedBefore,
    deletedAfter: options.deletedAfter,
    deletedBefore: options.deletedBefore,
    attention: options.attention,
  };
}

async function printJobs(api: Api, options: JobsOptions): Promise<void> {
  const limit = options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
  const { items, more } = await askPages<JobAnswer>(
    api,
    "/v1/jobs",
    { ...jobFilterQuery(options), sort: options.sort },
    limit,
  );
  if (items.length === 0 && isForPeople(options)) return remark(nothingFound(options));
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: jobColumns(Date.now(), {
      cluster: new Set(items.map(({ cluster }) => cluster)).size > 1,
      namespace: options.allNamespaces === true,
    }),
    name: jobResourceName,
  });
  if (more)
    remark(
      `The ${options.sort === "createdAt" ? "oldest" : "newest"} ${items.length} are printed and there are more: raise --limit, or --limit 0 for all.`,
    );
}

function nothingFound({ allNamespaces, namespace }: JobsOptions): string {
  return allNamespaces === true
    ? "No Jobs found."
    : `No Jobs found in namespace ${namespace}. Look into all namespaces with -A.`;
}

function readLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a whole number; 0 prints all.");
  return Number(text);
}
