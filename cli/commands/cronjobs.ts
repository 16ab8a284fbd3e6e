import type { Command } from "commander";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { CronDay } from "../../src/query/cron-jobs/cron-days.ts";
import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { type ApiClient, getJson, getItems } from "../../src/host/client/api-client.ts";
import { cronRunsPath } from "../../src/http/contract/api-paths.ts";
import { chooseCluster } from "../query/choose-cluster.ts";
import { count } from "../../src/job/text/sentence.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { age } from "../output/job-columns.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { nothingFoundText } from "../query/nothing-found.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addQueryOptions,
  clusterOption,
  namespaceOption,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import type { Column } from "../output/table.ts";

interface CronJobsOptions extends SourceOptions, PrintOptions {
  readonly namespace: string;
  readonly allNamespaces?: true;
  readonly cluster?: string;
  readonly since?: string;
  readonly timeZone?: string;
  readonly attention?: true;
}

export function define(command: Command): void {
  command
    .argument("[name]", "CronJob whose runs to list by day")
    .addOption(namespaceOption("CronJobs of this namespace"))
    .option("-A, --all-namespaces", "CronJobs of all namespaces")
    .addOption(clusterOption("CronJobs of this cluster (default: all clusters)"))
    .option("--attention", "only CronJobs with findings, such as missed runs")
    .addOption(timeOption("--since <time>", `runs created after this time (${TIME_FORM}; default: 30d)`))
    .option("--time-zone <zone>", "time zone of the days, such as Europe/Berlin (default: UTC)");
  addQueryOptions(command).action(async (name: string | undefined, options: CronJobsOptions) =>
    withClient(options, (api) => (name === undefined ? printList(api, options) : printRuns(api, name, options))),
  );
  addExamples(command, [
    ["outlive cronjobs -A", "list every observed CronJob"],
    ["outlive cronjobs -A --attention", "list CronJobs that missed a run, or fail, overlap or take long"],
    ["outlive cronjobs nightly -n batch", "count its runs by day, and the due runs that were never created"],
  ]);
}

const CRON_JOBS = "/v1/cronjobs";

async function printList(api: ApiClient, options: CronJobsOptions): Promise<void> {
  const namespace = options.allNamespaces === true ? undefined : options.namespace;
  const query = { cluster: options.cluster, namespace, attention: options.attention };
  const { items } = await getItems<CronJobAnswer>(api, CRON_JOBS, query);
  if (items.length === 0) await failForUnknownPlace(api, { cluster: options.cluster });
  if (items.length === 0 && isForPeople(options)) {
    return remark(
      await nothingFoundText({
        api,
        path: CRON_JOBS,
        query,
        items: options.attention === true ? "CronJobs with findings" : "CronJobs",
      }),
    );
  }
  const now = Date.now();
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: [
      ...(options.output === "csv" ? [CLUSTER, NAMESPACE] : options.allNamespaces === true ? [NAMESPACE] : []),
      { header: "NAME", cell: ({ name }) => name },
      { header: "SCHEDULE", cell: ({ schedule }) => schedule },
      { header: "TIMEZONE", cell: ({ timeZone }) => timeZone },
      { header: "SUSPEND", cell: ({ suspend }) => (suspend === true ? "True" : "False") },
      {
        header: "LAST-SCHEDULE",
        cell: ({ lastScheduledAt }) => lastScheduledAt && age(lastScheduledAt, now),
        csv: [SCHEDULED],
      },
      { header: "DELETED", cell: ({ deletedAt }) => deletedAt && age(deletedAt, now), csv: [DELETED] },
      ...(options.attention === true ? [FINDINGS] : []),
    ],
    name: ({ name }) => `cronjob.batch/${name}`,
  });
}

const SCHEDULED: Column<CronJobAnswer> = { header: "LAST-SCHEDULE", cell: ({ lastScheduledAt }) => lastScheduledAt };
const DELETED: Column<CronJobAnswer> = { header: "DELETED", cell: ({ deletedAt }) => deletedAt };
const CLUSTER: Column<CronJobAnswer> = { header: "CLUSTER", cell: ({ cluster }) => cluster };
const NAMESPACE: Column<CronJobAnswer> = { header: "NAMESPACE", cell: ({ namespace }) => namespace };
const FINDINGS: Column<CronJobAnswer> = {
  header: "FINDINGS",
  cell: ({ findings = [] }) => findings.map(({ kind, message }) => `${kind}: ${message}`).join(" "),
};

async function printRuns(api: ApiClient, name: string, options: CronJobsOptions): Promise<void> {
  const cluster = await chooseCluster(api, options.cluster);
  const { namespace, since, timeZone } = options;
  const runs = await getJson<CronRunsAnswer>(api, cronRunsPath({ cluster, namespace, name }), { since, timeZone });
  await printAnswer(options, { document: runs, rows: runs.days, columns: DAYS, name: ({ day }) => day });
  if (isForPeople(options)) remarksOn(runs).forEach(remark);
}

function remarksOn({
  delaySeconds: delay,
  durationSeconds: duration,
  partial,
  missed,
  unobserved,
  findings,
}: CronRunsAnswer): readonly string[] {
  const last = missed.slice(0, 3).map(({ dueAt, cause }) => `${dueAt} (${cause})`);
  return [
    ...findings.map(({ kind, message }) => `${kind}: ${message}`),
    ...(delay ? [`Delay after the due time: p50 ${text(delay.p50)}, p99 ${text(delay.p99)}.`] : []),
    ...(duration ? [`Duration: p50 ${text(duration.p50)}, p99 ${text(duration.p99)}.`] : []),
    ...(last.length > 0 ? [`Newest missed runs: ${last.join(", ")}.`] : []),
    ...(unobserved[0] ? [unobservedText(unobserved.length, unobserved[0].dueAt)] : []),
    ...(partial
      ? [`The namespace has too many Jobs for one answer. It covers Jobs created since ${partial.since}.`]
      : []),
  ];
}

function unobservedText(times: number, newest: string): string {
  return `${count(times, "due time")} not observed, the newest at ${newest}: unknown, not missed.`;
}

function text(seconds: number): string {
  return humanDuration(seconds * 1_000);
}

const DAYS: readonly Column<CronDay>[] = [
  { header: "DAY", cell: ({ day }) => day },
  { header: "EXPECTED", cell: ({ expected }) => expected },
  { header: "RUNS", cell: ({ runs }) => runs },
  { header: "COMPLETE", cell: ({ complete }) => complete },
  { header: "FAILED", cell: ({ failed }) => failed },
  { header: "MISSED", cell: ({ missed }) => missed },
  { header: "SKIPPED", cell: ({ skipped }) => skipped },
  { header: "UNKNOWN", cell: ({ unknown }) => unknown },
];
