import type { Command } from "commander";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { doubtAbout } from "../../src/query/runs/run-filter.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { type ApiClient, getItems } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";
import { limitOption } from "../options/limit-option.ts";
import {
  addQueryOptions,
  clusterOption,
  namespaceOption,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { runColumns, runResourceName } from "../output/run-columns.ts";
import { nothingFoundText } from "../query/nothing-found.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";

interface RunsOptions extends SourceOptions, PrintOptions {
  readonly namespace: string;
  readonly allNamespaces?: true;
  readonly cluster?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly state?: readonly string[];
  readonly series?: string;
  readonly externalId?: string;
  readonly selector?: string;
  readonly since?: string;
  readonly attention?: true;
  readonly limit: number;
}

export function define(command: Command): void {
  command
    .addOption(namespaceOption("runs of this namespace"))
    .option("-A, --all-namespaces", "runs of all namespaces")
    .addOption(clusterOption("runs of this cluster (default: all clusters)"))
    .option("--kind <kind>", "runs of this kind: jobset, rayjob, jobsets.jobset.x-k8s.io")
    .option("--name <name>", "exact name: every run that had it")
    .option(
      "--state <state...>",
      "Pending, Queued, Running, Suspended, Complete, Failed, Deleted or Unknown, in any case; several with commas",
    )
    .option("--series <series>", "runs of this series: its name, kind/name or uid")
    .option("--external-id <key=value>", "the run that another system knows so: dagster/run-id=ID; in all namespaces")
    .option("-l, --selector <selector>", "label selector, as in kubectl: app=a,tier in (web,db),!legacy")
    .addOption(timeOption("--since <time>", `runs created after this time (${TIME_FORM}, 90m or 7d)`))
    .option("--attention", "only failed runs")
    .addOption(limitOption("print at most this many"));
  addQueryOptions(command).action(async (options: RunsOptions) =>
    withClient(options, (api) => printRuns(api, options)),
  );
  addExamples(command, [
    ["outlive runs -n ml", "list the runs of a namespace: JobSets, RayJobs and others, also deleted ones"],
    ["outlive runs -A --kind jobset --state failed --since 1d", "list the JobSets of the last day that failed"],
    ["outlive runs --external-id dagster/run-id=ID", "find a run by the id that Dagster gave it"],
    ["outlive get jobset/train -n ml", "show one of them"],
  ]);
}

const RUNS = "/v1/runs";

async function printRuns(api: ApiClient, options: RunsOptions): Promise<void> {
  const isEverywhere = options.allNamespaces === true || options.externalId !== undefined;
  const query = {
    cluster: options.cluster,
    namespace: isEverywhere ? undefined : options.namespace,
    kind: options.kind,
    name: options.name,
    state: options.state?.join(","),
    series: options.series,
    externalId: options.externalId,
    labelSelector: options.selector,
    createdAfter: options.since,
    attention: options.attention,
  };
  const { items, more } = await getItems<RunAnswer>(api, RUNS, { ...query, limit: options.limit });
  if (items.length === 0) {
    await failForUnknownPlace(api, isEverywhere ? { cluster: options.cluster } : options);
    if (isForPeople(options)) return remarkOnNothing(api, options, query);
  }
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: runColumns(Date.now(), {
      cluster: options.output === "csv" || new Set(items.map(({ cluster }) => cluster)).size > 1,
      namespace: options.output === "csv" || isEverywhere,
    }),
    name: runResourceName,
  });
  if (more) remark(`Printed the newest ${options.limit}. There are more: raise --limit, or set --limit 0 for all.`);
}

async function remarkOnNothing(api: ApiClient, options: RunsOptions, query: Query): Promise<void> {
  const nothing = await nothingFoundText({ api, path: RUNS, query, items: "runs" });
  const doubt = doubtAbout(options);
  remark(doubt === undefined ? nothing : `${nothing} ${doubt}`);
}
