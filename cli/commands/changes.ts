import { type Command, InvalidArgumentError } from "commander";
import type { ApiClient } from "../../src/host/client/api-client.ts";
import { CHANGE_COLUMNS, firstChanges, follow, type FollowOptions, MOST_CHANGES } from "../query/follow-changes.ts";
import { addJobFilterOptions } from "../options/job-filter-options.ts";
import { TIME_FORM, timeOption } from "../options/time-option.ts";
import { jobResourceName } from "../output/job-columns.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";
import { printAnswer } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addQueryOptions, anyNamespaceOption, type SourceOptions } from "../options/query-options.ts";

type ChangesOptions = SourceOptions & FollowOptions & { readonly follow?: true };

export function define(command: Command): void {
  addJobFilterOptions(command, anyNamespaceOption("Jobs of this namespace (default: all namespaces)"))
    .addOption(
      timeOption("--since <time>", `changes since this time (${TIME_FORM}), at most 35 days ago (default: now)`),
    )
    .option("--cursor <cursor>", "continue after an earlier page (nextCursor of -o json)")
    .option("-f, --follow", "print changes as they occur, until Ctrl-C")
    .option("--limit <number>", "print at most this many", readLimit, MOST_CHANGES);
  addQueryOptions(command).action(async (options: ChangesOptions) =>
    withClient(options, (api) => (options.follow === true ? follow(api, options) : printPage(api, options))),
  );
  addExamples(command, [
    ["outlive changes --since 2025-01-31T00:00:00Z", "list status changes since a time"],
    ["outlive changes --follow --state Failed", "print failures as they happen"],
    ["outlive changes --follow -o json", "print one JSON document per line, for a program"],
  ]);
}

async function printPage(api: ApiClient, options: ChangesOptions): Promise<void> {
  const page = await firstChanges(api, options);
  if (page.items.length === 0) await failForUnknownPlace(api, options);
  await printAnswer(options, {
    document: page,
    rows: page.items,
    columns: CHANGE_COLUMNS,
    name: ({ job }) => jobResourceName(job),
  });
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_CHANGES) {
    throw new InvalidArgumentError(`Write a whole number from 1 to ${MOST_CHANGES}.`);
  }
  return limit;
}
