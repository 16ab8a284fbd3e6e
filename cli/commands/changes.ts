import { type Command, InvalidArgumentError } from "commander";
import type { JobChange } from "../../src/query/changes.ts";
import { type Api, ask, type Query } from "../api.ts";
import { withApi } from "../open-api.ts";
import { isForPeople, printAnswer } from "../print-answer.ts";
import { addExamples, addQuestionOptions, type PrintOptions, type SourceOptions } from "../question-options.ts";
import { terminalText } from "../terminal-text.ts";
import { addJobFilterOptions, jobFilterQuery } from "./jobs.ts";

type ChangesOptions = SourceOptions &
  PrintOptions &
  Parameters<typeof jobFilterQuery>[0] & {
    readonly since?: string;
    readonly cursor?: string;
    readonly follow?: true;
    readonly limit: number;
  };

interface ChangesPage {
  readonly items: readonly JobChange[];
  readonly nextCursor: string;
  readonly more: boolean;
}

const STANDARD_LIMIT = 500;
const WAIT_SECONDS = 25;

export function define(command: Command): void {
  addJobFilterOptions(command)
    .option("--since <time>", "begin at this time (RFC 3339), as far as the log reaches; now unless said")
    .option("--cursor <cursor>", "go on behind a page of before (nextCursor of -o json)")
    .option("-f, --follow", "go on printing what comes, until Ctrl-C")
    .option("--limit <number>", "changes of a page at most", readLimit, STANDARD_LIMIT);
  addQuestionOptions(command).action(async (options: ChangesOptions) =>
    withApi(options, (api) => (options.follow === true ? follow(api, options) : printPage(api, options))),
  );
  addExamples(command, [
    ["outlive changes -A --since 2025-01-31T00:00:00Z", "which verdicts became others since a time"],
    ["outlive changes -A --follow --state Failed", "failures as they happen"],
    ["outlive changes -A --follow -o json", "one JSON document a line, for a program"],
  ]);
}

async function printPage(api: Api, options: ChangesOptions): Promise<void> {
  const page = await ask<ChangesPage>(api, "/v1/changes", queryOf(options));
  await printAnswer(options, { document: page, rows: page.items, columns: COLUMNS, name: nameOf });
}

/** Prints changes as they come: a line each. */
export async function follow(api: Api, options: ChangesOptions): Promise<void> {
  let { cursor } = options;
  for (;;) {
    const page: ChangesPage = await ask(api, "/v1/changes", { ...queryOf(options), cursor, waitSeconds: WAIT_SECONDS });
    cursor = page.nextCursor;
    for (const change of page.items) process.stdout.write(`${lineOf(change, options)}\n`);
  }
}

function lineOf(change: JobChange, options: ChangesOptions): string {
  if (!isForPeople(options)) return options.output === "name" ? terminalText(nameOf(change)) : JSON.stringify(change);
  return COLUMNS.map(({ cell }) => terminalText(cell(change))).join("   ");
}

function queryOf(options: ChangesOptions): Query {
  const { since, cursor, limit } = options;
  return { ...jobFilterQuery(options), since: cursor === undefined ? since : undefined, cursor, limit };
}

const COLUMNS = [
  { header: "TIME", cell: ({ job }: JobChange) => job.asOf.time },
  { header: "NAMESPACE", cell: ({ job }: JobChange) => job.namespace },
  { header: "NAME", cell: ({ job }: JobChange) => job.name },
  { header: "BEFORE", cell: ({ previous }: JobChange) => previous ?? "-" },
  { header: "STATUS", cell: ({ job }: JobChange) => statusOf(job) },
  { header: "FINDINGS", cell: ({ job }: JobChange) => job.findings.map(({ kind }) => kind).join(",") || "-" },
];

function statusOf({ verdict, deletedAt }: JobChange["job"]): string {
  const reason = verdict.reason === undefined ? "" : ` (${verdict.reason})`;
  return `${verdict.state}${reason}${deletedAt === undefined || verdict.state === "Deleted" ? "" : ", deleted"}`;
}

function nameOf({ job }: JobChange): string {
  return `job.batch/${job.name}`;
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 500) throw new InvalidArgumentError("Write a whole number from 1 to 500.");
  return limit;
}
