import { type Command, Option } from "commander";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type Api, askPages } from "../../src/client/api-client.ts";
import { addJobFilterOptions, type JobFilterOptions, jobFilterQuery } from "../options/job-filter-options.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { limitOption } from "../options/limit-option.ts";
import { withApi } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addQuestionOptions, type PrintOptions, type SourceOptions } from "../options/query-options.ts";

interface JobsOptions extends SourceOptions, PrintOptions, JobFilterOptions {
  readonly limit: number;
  readonly sort: string;
  readonly watch?: true;
}

export function define(command: Command): void {
  addJobFilterOptions(command)
    .addOption(
      new Option("--sort <order>", "by creation: -createdAt newest first, createdAt oldest first")
        .choices(["-createdAt", "createdAt"])
        .default("-createdAt"),
    )
    .addOption(limitOption("print at most this many"))
    .option("-w, --watch", "then go on printing verdicts that become others, until Ctrl-C");
  addQuestionOptions(command).action(async (options: JobsOptions) =>
    withApi(options, async (api) => {
      await printJobs(api, options);
      if (options.watch !== true) return;
      const { follow, MOST_CHANGES } = await import("../query/follow-changes.ts");
      await follow(api, { ...options, limit: MOST_CHANGES });
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

async function printJobs(api: Api, options: JobsOptions): Promise<void> {
  const { items, more } = await askPages<JobAnswer>(
    api,
    "/v1/jobs",
    { ...jobFilterQuery(options), sort: options.sort },
    options.limit,
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
  const which = options.sort === "createdAt" ? "oldest" : "newest";
  if (more) remark(`The ${which} ${items.length} are printed and there are more: raise --limit, or --limit 0 for all.`);
}

function nothingFound({ allNamespaces, namespace }: JobsOptions): string {
  return allNamespaces === true
    ? "No Jobs found."
    : `No Jobs found in namespace ${namespace}. Look into all namespaces with -A.`;
}
