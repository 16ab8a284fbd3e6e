import type { Command } from "commander";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import { getItems } from "../../src/host/client/api-client.ts";
import type { RunEvent } from "../../src/query/runs/run-history.ts";
import { type PathOf, withTarget } from "../query/with-job.ts";
import { limitOption } from "../options/limit-option.ts";
import { withClient } from "../query/with-client.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
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

interface HistoryOptions extends SourceOptions, PrintOptions, JobLocationOptions {
  readonly uid?: string;
  readonly limit: number;
}

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME, or a run: jobset/NAME")
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)")
    .addOption(limitOption("print at most this many facts, the first ones"));
  addQueryOptions(addJobLocationOptions(command).addOption(archiveOption())).action(
    async (argument: string, options: HistoryOptions) =>
      withClient(options, async (api) => {
        const { uid, limit } = options;
        const read = <Item>(pathOf: PathOf) => getItems<Item>(api, pathOf("/history"), { uid, limit });
        await withTarget(
          { api, argument, options },
          {
            job: async (pathOf) => printFacts(options, await read<HistoryEntry>(pathOf)),
            run: async (pathOf) => printEvents(options, await read<RunEvent>(pathOf)),
          },
        );
      }),
  );
  addExamples(command, [
    ["outlive history job/report -n batch", "list what happened to the Job and its Pods, in order"],
    ["outlive history jobset/train -n ml", "list what happened to a run and its Jobs"],
    ["outlive history report -n batch -o json --limit 0", "print every fact, for a program"],
    ["outlive history report -n batch -o name --limit 0", "print each involved object once"],
  ]);
}

interface Read<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

async function printFacts(options: HistoryOptions, { items, more }: Read<HistoryEntry>): Promise<void> {
  await printAnswer(options, {
    document: { items },
    rows: options.output === "name" ? firstOfEach(items) : items,
    columns: COLUMNS,
    name: ({ kind, object }) => object ?? kind,
  });
  if (isForPeople(options) && items.some(({ bound }) => bound !== undefined)) remark(BOUNDED);
  if (more) remark(`Printed the first ${items.length} facts. There are more: raise --limit, or set it to 0.`);
}

/** What happened in a run. The facts about one of its Jobs are in the history of the Job. */
async function printEvents(options: HistoryOptions, { items, more }: Read<RunEvent>): Promise<void> {
  await printAnswer(options, {
    document: { items },
    rows: options.output === "name" ? firstOfEach(items) : items,
    columns: RUN_COLUMNS,
    name: ({ object }) => object,
  });
  if (more) remark(`Printed the first ${items.length} events. There are more: raise --limit, or set it to 0.`);
}

const RUN_COLUMNS: readonly Column<RunEvent>[] = [
  { header: "TIME", cell: ({ time }) => time },
  { header: "EVENT", cell: ({ kind }) => kind },
  { header: "OBJECT", cell: ({ object }) => object },
  { header: "DETAIL", cell: ({ detail }) => detail },
];

const BOUNDED = "Times with >= are lower bounds: the object has no date for this fact, and its arrival is unknown.";

/** Facts have no names; the objects that they are about have names. */
function firstOfEach<Item extends { readonly object?: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [item.object, item])).values()].toReversed();
}

const COLUMNS: readonly Column<HistoryEntry>[] = [
  {
    header: "TIME",
    cell: ({ time, bound }) => (bound === undefined ? time : `>=${time}`),
    csv: [
      { header: "TIME", cell: ({ time }) => time },
      { header: "BOUND", cell: ({ bound }) => bound },
    ],
  },
  { header: "FACT", cell: ({ kind }) => kind },
  { header: "OBJECT", cell: ({ object }) => object },
  { header: "VERSION", wide: true, cell: ({ resourceVersion }) => resourceVersion },
  { header: "DETAIL", cell: ({ detail }) => detail },
];
