import { type Command, Option } from "commander";
import type { SummaryAnswer, SummaryGroup } from "../../src/query/summary/summary.ts";
import { SUMMARY_GROUPS } from "../../src/query/summary/summary-group.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import {
  addJobFilterOptions,
  type JobFilterOptions,
  jobFilterQuery,
  sinceOption,
  withSince,
} from "../options/job-filter-options.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addQueryOptions,
  anyNamespaceOption,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { usageLines } from "../usage/summary-usage.ts";
import type { Column } from "../output/table.ts";

type SummaryOptions = SourceOptions & PrintOptions & JobFilterOptions & { readonly by?: string };

export function define(command: Command): void {
  addJobFilterOptions(command, anyNamespaceOption("Jobs of this namespace (default: all namespaces)"))
    .addOption(sinceOption())
    .addOption(
      new Option("--by <group>", "count by group; hours and days are those of creation, in UTC").choices(
        SUMMARY_GROUPS,
      ),
    );
  addQueryOptions(command, { name: NAMELESS }).action(async (given: SummaryOptions & { readonly since?: string }) => {
    const options: SummaryOptions = withSince(given);
    return withClient(options, async (api) => {
      const summary = await getJson<SummaryAnswer>(api, "/v1/summary", {
        ...jobFilterQuery(options),
        by: options.by,
      });
      if (summary.jobs === 0) await failForUnknownPlace(api, options);
      if (options.by !== undefined) return printGroups(options, summary);
      await printAnswer(options, {
        document: summary,
        rows: [...rowsOf(summary), ...(isForPeople(options) ? await usageLines(api, options) : [])],
        columns: COLUMNS,
        name: ([name]) => name,
        objects: [summary],
      });
      remarkLimits(summary);
      if (isForPeople(options) && summary.pods.failed > 0) remark(NODES);
    });
  });
  addExamples(command, [
    ["outlive summary", "count all Jobs"],
    ["outlive summary --by day --since 30d", "count the Jobs of the last 30 days by day"],
    [
      "outlive summary -n batch --created-after 2025-01-31T00:00:00Z -o json",
      "count the Jobs of one namespace since a time, for a program",
    ],
  ]);
}

async function printGroups(options: SummaryOptions, summary: SummaryAnswer): Promise<void> {
  const { groups = [], groupsOmitted } = summary;
  await printAnswer(options, {
    document: summary,
    rows: groups,
    columns: groupColumns(options.by ?? ""),
    name: ({ key }) => key,
  });
  if (groupsOmitted !== undefined) remark(`${groupsOmitted} smaller groups are not printed. Narrow the query.`);
  remarkLimits(summary);
}

/** Since when Jobs are counted, and as of when. */
function remarkLimits({ asOf, partial }: SummaryAnswer): void {
  if (asOf !== undefined) remark(`As of ${asOf.time}. Later changes are counted within some minutes.`);
  if (partial !== undefined) remark(partialText(partial.since));
}

function groupColumns(by: string): readonly Column<SummaryGroup>[] {
  return [
    { header: by.toUpperCase(), cell: ({ key }) => key },
    { header: "JOBS", cell: ({ jobs }) => jobs },
    { header: "COMPLETE", cell: ({ byState }) => byState.Complete ?? 0 },
    { header: "FAILED", cell: ({ byState }) => byState.Failed ?? 0 },
    { header: "SUCCESS", cell: ({ successRate }) => successRate && percent(successRate), csv: [SUCCESS] },
    { header: "P50", cell: (group) => shownSeconds(group.durationSeconds?.p50), csv: [P50] },
    { header: "P99", cell: (group) => shownSeconds(group.durationSeconds?.p99), csv: [P99] },
    { header: "RE-RUNS", cell: ({ reRuns }) => reRuns.pods },
    { header: "WASTED", cell: ({ reRuns }) => shownSeconds(reRuns.seconds), csv: [WASTED] },
    { header: "ATTENTION", cell: ({ attention }) => attention },
  ];
}

const SUCCESS: Column<SummaryGroup> = { header: "SUCCESS", cell: ({ successRate }) => successRate };
const P50: Column<SummaryGroup> = { header: "P50-SECONDS", cell: ({ durationSeconds }) => durationSeconds?.p50 };
const P99: Column<SummaryGroup> = { header: "P99-SECONDS", cell: ({ durationSeconds }) => durationSeconds?.p99 };
const WASTED: Column<SummaryGroup> = { header: "WASTED-SECONDS", cell: ({ reRuns }) => reRuns.seconds };

function shownSeconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : humanDuration(seconds * 1_000);
}

function partialText(since: string): string {
  return `Too many Jobs for one summary. It covers Jobs created since ${since}; narrow it with --created-before.`;
}

/** The nodes are not counted: an answer about them reads the Pods of up to 10,000 Jobs. */
const NODES = '"outlive nodes" lists the nodes on which most Pods failed.';

const NAMELESS =
  'A summary has no names. Use table, wide, json, yaml or csv. "outlive jobs -o name" takes the same filters.';

/** `exact` is the value in CSV, where `value` is text for people. */
type Line = readonly [name: string, value: string | number, exact?: number];
const COLUMNS: readonly Column<Line>[] = [
  { header: "WHAT", cell: ([name]) => name, csv: [{ header: "WHAT", cell: ([name]) => name.trim() }] },
  {
    header: "COUNT",
    cell: ([, value]) => value,
    csv: [{ header: "VALUE", cell: ([, value, exact = value]) => exact }],
  },
];

function rowsOf(summary: SummaryAnswer): readonly Line[] {
  const { durationSeconds, successRate } = summary;
  return [
    ["Jobs", summary.jobs],
    ...Object.entries(summary.byState).map(([state, count]): Line => [`  ${state}`, count]),
    ...(successRate === undefined ? [] : [["Success rate", percent(successRate), successRate] as const]),
    ...Object.entries(durationSeconds ?? {}).map(([name, seconds]): Line => [
      `Duration ${name}`,
      humanDuration(seconds * 1_000),
      seconds,
    ]),
    ["Pods", summary.pods.seen],
    ["  succeeded", summary.pods.succeeded],
    ["  failed", summary.pods.failed],
    ["Needless re-runs", summary.reRuns.pods],
    ["  of Jobs", summary.reRuns.jobs],
    ["  time wasted", humanDuration(summary.reRuns.seconds * 1_000), summary.reRuns.seconds],
    ["Need attention", summary.attention],
    ...Object.entries(summary.findings).map(([kind, count]): Line => [`  ${kind}`, count]),
  ];
}

/** Rounds down, so that 100 % means that none failed. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}
