import { type Command, Option } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type ApiClient, getItems } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";
import {
  addJobFilterOptions,
  type JobFilterOptions,
  jobFilterQuery,
  sinceOption,
  withSince,
} from "../options/job-filter-options.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { limitOption } from "../options/limit-option.ts";
import { cronJobsText } from "../query/cron-jobs-with-findings.ts";
import { nothingFoundText } from "../query/nothing-found.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";
import { staleText } from "../../src/explain/state-text.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { parseSort, SORTS } from "../../src/query/list/sort-order.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addQueryOptions, type PrintOptions, type SourceOptions } from "../options/query-options.ts";

type GivenOptions = JobsOptions & { readonly since?: string };
interface JobsOptions extends SourceOptions, PrintOptions, JobFilterOptions {
  readonly limit: number;
  readonly sort: string;
  readonly watch?: true;
}

export function define(command: Command): void {
  addJobFilterOptions(command)
    .addOption(sinceOption())
    .addOption(
      new Option("--sort <order>", "order of the Jobs; a minus reverses it: --sort=-duration prints the longest first")
        .choices(SORTS.flatMap((sort) => [sort, `-${sort}`]))
        .default("-created")
        .argParser(asArgument(readSort)),
    )
    .addOption(limitOption("print at most this many"))
    .option("-w, --watch", "then print status changes as they occur, until Ctrl-C");
  addQueryOptions(command).action(async (given: GivenOptions) => {
    const options: JobsOptions = withSince(given);
    return withClient(options, async (api) => {
      if (options.watch !== true) return printJobs(api, options);
      const { follow, MOST_CHANGES, requireFollowable } = await import("../query/follow-changes.ts");
      requireFollowable(options);
      await printJobs(api, options);
      await follow(api, { ...options, limit: MOST_CHANGES });
    });
  });
  addExamples(command, [
    ["outlive jobs", "list the Jobs of namespace default"],
    ["outlive jobs -A -o wide", "list all Jobs with more columns"],
    ["outlive jobs -A --attention", "list Jobs with findings"],
    ["outlive jobs -A --since 2h --state failed", "list the Jobs of the last two hours that failed"],
    ["outlive jobs -n batch --state failed -l 'team in (data,ml)'", "list failed Jobs of two teams"],
    ["outlive jobs -A --sort=-duration --limit 10", "list the ten that ran longest"],
    ["outlive jobs -A --since 1d -o csv > jobs.csv", "write a table for a spreadsheet"],
    [`outlive jobs -A -o jsonpath='{range .items[*]}{.name}{"\\n"}{end}'`, "print by a template of kubectl"],
    ["outlive jobs -A -o custom-columns=JOB:.name,WHY:.cause.message", "print columns of your choice"],
    ["outlive jobs -A --finished-after 2025-01-31T00:00:00Z -o json", "print a document for a program"],
  ]);
}

const JOBS = "/v1/jobs";

async function printJobs(api: ApiClient, options: JobsOptions): Promise<void> {
  const query = { ...jobFilterQuery(options), sort: options.sort };
  const wide = isWide(options);
  const asked = { ...query, usage: wide, expected: wide, limit: options.limit };
  const { items, more, sorted } = await getItems<JobAnswer>(api, JOBS, asked);
  if (items.length === 0) {
    await failForUnknownPlace(api, options);
    if (isForPeople(options)) return remarkOnNothing(api, options, query);
  }
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: jobColumns(Date.now(), {
      cluster: options.output === "csv" || new Set(items.map(({ cluster }) => cluster)).size > 1,
      namespace: options.output === "csv" || options.allNamespaces === true,
      expected: true,
    }),
    name: jobResourceName,
  });
  await remarkOnCronJobs(api, options, query);
  const stale = staleText(items);
  if (stale !== undefined && isForPeople(options)) remark(stale);
  if (more) remark(`Printed the ${firstOf(options)}. There are more: raise --limit, or set --limit 0 for all.`);
  if (sorted?.since !== undefined) {
    const earlier = `--created-before ${sorted.since}`;
    remark(`Sorted the Jobs created since ${sorted.since}. For Jobs created earlier, use ${earlier}.`);
  }
}

/** Whether the output has columns that take more than a list entry. */
function isWide({ output }: JobsOptions): true | undefined {
  return output === "wide" || output === "csv" || typeof output === "object" ? true : undefined;
}

function firstOf({ sort, limit }: JobsOptions): string {
  const order = parseSort(sort);
  return `${typeof order === "string" ? order : "first"} ${limit}`;
}

function readSort(text: string): string {
  if (parseSort(text) !== undefined) return text;
  throw new CommandFailure(2, `Write one of ${SORTS.join(", ")}, with a minus before it for the reverse order.`);
}

async function remarkOnNothing(api: ApiClient, options: JobsOptions, query: Query): Promise<void> {
  remark(await nothingFoundText({ api, path: JOBS, query, items: "Jobs" }));
  await remarkOnCronJobs(api, options, query);
}

/** Findings of CronJobs are about no Job. */
async function remarkOnCronJobs(api: ApiClient, options: JobsOptions, query: Query): Promise<void> {
  if (options.attention !== true || !isForPeople(options)) return;
  const text = await cronJobsText(api, query);
  if (text !== undefined) remark(text);
}
