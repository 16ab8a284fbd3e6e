import type { Command } from "commander";
import type { SummaryAnswer } from "../../src/query/summary.ts";
import { ask } from "../api.ts";
import { humanDuration } from "../human-duration.ts";
import { withApi } from "../open-api.ts";
import { printAnswer, remark } from "../print-answer.ts";
import { addExamples, addQuestionOptions, type PrintOptions, type SourceOptions } from "../question-options.ts";
import { addJobFilterOptions, jobFilterQuery } from "./jobs.ts";

type SummaryOptions = SourceOptions & PrintOptions & Parameters<typeof jobFilterQuery>[0];

export function define(command: Command): void {
  addQuestionOptions(addJobFilterOptions(command), { nameless: NAMELESS }).action(async (options: SummaryOptions) =>
    withApi(options, async (api) => {
      const summary = await ask<SummaryAnswer>(api, "/v1/summary", jobFilterQuery(options));
      await printAnswer(options, {
        document: summary,
        rows: rowsOf(summary),
        columns: COLUMNS,
        name: ([name]) => name,
      });
      if (summary.partial !== undefined) {
        remark(
          `There are more Jobs than one summary reads: it covers those created since ${summary.partial.since}. Narrow it with --created-before.`,
        );
      }
    }),
  );
  addExamples(command, [
    ["outlive summary -A", "what all Jobs came to"],
    [
      "outlive summary -n batch --created-after 2025-01-31T00:00:00Z -o json",
      "one namespace since a time, for a program",
    ],
  ]);
}

const NAMELESS =
  'A summary counts Jobs and names none: ask with table, wide, json or yaml. "outlive jobs -o name" names them, by the same filters.';

type Line = readonly [name: string, value: string | number];
const COLUMNS = [
  { header: "WHAT", cell: ([name]: Line) => name },
  { header: "COUNT", cell: ([, value]: Line) => value },
];

function rowsOf(summary: SummaryAnswer): readonly Line[] {
  const { durationSeconds, successRate } = summary;
  return [
    ["Jobs", summary.jobs],
    ...Object.entries(summary.byState).map(([state, count]): Line => [`  ${state}`, count]),
    ...(successRate === undefined ? [] : [["Success rate", percent(successRate)] as const]),
    ...Object.entries(durationSeconds ?? {}).map(
      ([name, seconds]): Line => [`Duration ${name}`, humanDuration(seconds * 1_000)],
    ),
    ["Pods", summary.pods.seen],
    ["  succeeded", summary.pods.succeeded],
    ["  failed", summary.pods.failed],
    ["Needless re-runs", summary.reRuns.pods],
    ["  of Jobs", summary.reRuns.jobs],
    ["  time wasted", humanDuration(summary.reRuns.seconds * 1_000)],
    ["Need attention", summary.attention],
    ...Object.entries(summary.findings).map(([kind, count]): Line => [`  ${kind}`, count]),
  ];
}

/** Never 100 % while one failed. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10} %`;
}
