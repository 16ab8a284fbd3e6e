import type { Command } from "commander";
import type { Attempt } from "../../src/explain/answer-document.ts";
import { getItems } from "../../src/host/client/api-client.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { age, secondsBetween } from "../output/job-columns.ts";
import { withJob } from "../query/with-job.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import { type LogLinksFlag, logLinksOption } from "../options/log-links-option.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addJobLocationOptions,
  addQueryOptions,
  archiveOption,
  type JobLocationOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import type { Column } from "../output/table.ts";

interface PodsOptions extends SourceOptions, PrintOptions, JobLocationOptions, LogLinksFlag {
  readonly uid?: string;
}

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME")
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)");
  addQueryOptions(addJobLocationOptions(command.addOption(logLinksOption()).addOption(archiveOption()))).action(
    async (argument: string, options: PodsOptions) =>
      withClient(options, async (api) => {
        const { items } = await withJob({ api, argument, options }, (pathOf) =>
          getItems<Attempt>(api, pathOf("/pods"), { uid: options.uid }),
        );
        if (items.length === 0 && isForPeople(options)) return remark(`No Pods of ${argument} were observed.`);
        await printAnswer(options, {
          document: { items },
          rows: items,
          columns: podColumns(Date.now(), items, options.output === "csv"),
          name: ({ name }) => `pod/${name}`,
        });
      }),
  );
  addExamples(command, [
    ["outlive pods job/report -n batch", "list every Pod of the Job, including deleted ones"],
    ["outlive pods job/report -n batch -o wide", "list them with their times and node"],
    ["outlive pods job/report -n batch -o csv", "print them for a spreadsheet, with exact times"],
    ["outlive pods job/report -n batch -o wide --log-links logs.yaml", "also link to their logs"],
  ]);
}

function podColumns(now: number, attempts: readonly Attempt[], isCsv: boolean): readonly Column<Attempt>[] {
  const logged = isCsv || attempts.some(({ logs = [] }) => logs.length > 0);
  const indexed = isCsv || attempts.some(({ index }) => index !== undefined);
  return [
    { header: "NAME", cell: ({ name }) => name },
    ...(indexed ? [{ header: "INDEX", cell: ({ index }: Attempt) => index }] : []),
    { header: "OUTCOME", cell: ({ outcome }) => outcome, paint: ({ outcome }) => OUTCOME_COLOURS[outcome] },
    { header: "EXIT", cell: ({ exitCode }) => exitCode },
    { header: "RESTARTS", cell: ({ restarts }) => restarts },
    { header: "REASON", cell: ({ reason, category }) => reason ?? category },
    { header: "DURATION", cell: duration, csv: [DURATION_SECONDS] },
    { header: "DELETED-BY", cell: ({ deletedBy }) => deletedBy?.actor },
    { header: "AGE", cell: ({ createdAt }) => age(createdAt, now), csv: [CREATED] },
    { header: "CAUSE", cell: ({ cause }) => cause },
    { header: "COUNTED", wide: true, cell: ({ countedAs }) => countedAs },
    { header: "CATEGORY", wide: true, cell: ({ category }) => category },
    { header: "NODE", wide: true, cell: ({ node }) => node },
    { header: "STARTED", wide: true, cell: ({ startedAt }) => startedAt },
    { header: "FINISHED", wide: true, cell: ({ finishedAt }) => finishedAt },
    { header: "DELETED", wide: true, cell: ({ deletedAt }) => deletedAt },
    { header: "UID", wide: true, cell: ({ uid }) => uid },
    ...(logged ? [LOGS] : []),
  ];
}

const CREATED: Column<Attempt> = { header: "CREATED", cell: ({ createdAt }) => createdAt };
const DURATION_SECONDS: Column<Attempt> = {
  header: "DURATION-SECONDS",
  cell: ({ startedAt, finishedAt }) => secondsBetween(startedAt, finishedAt),
};
const LOGS: Column<Attempt> = {
  header: "LOGS",
  wide: true,
  cell: ({ logs = [] }) => logs.map(({ url }) => url).join(" "),
};

const OUTCOME_COLOURS = {
  Succeeded: "green",
  Failed: "red",
  Active: "cyan",
  Terminating: undefined,
  Unknown: "yellow",
} as const;

function duration({ startedAt, finishedAt }: Attempt): string | undefined {
  const seconds = secondsBetween(startedAt, finishedAt);
  return seconds === undefined ? undefined : humanDuration(seconds * 1_000);
}
