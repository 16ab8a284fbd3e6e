import type { Command } from "commander";
import type { ComparedFieldAnswer, ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";
import { expectedText } from "../../src/explain/expectation/expected-text.ts";
import { getJson } from "../../src/host/client/api-client.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addJobLocationOptions,
  addQueryOptions,
  archiveOption,
  type JobLocationOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import { withClient } from "../query/with-client.ts";
import { type PathOf, withTarget } from "../query/with-job.ts";

interface DiffOptions extends SourceOptions, PrintOptions, JobLocationOptions {
  readonly uid?: string;
  readonly with?: string;
}

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME, or a run: jobset/NAME")
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)")
    .option("--with <uid>", "compare with this one of the namespace (default: the last good one before it)");
  addQueryOptions(addJobLocationOptions(command).addOption(archiveOption())).action(
    async (argument: string, options: DiffOptions) =>
      withClient(options, async (api) => {
        const read = (pathOf: PathOf) =>
          getJson<ComparisonAnswer>(api, pathOf("/compare"), { uid: options.uid, with: options.with });
        await printComparison(options, await withTarget({ api, argument, options }, { job: read, run: read }));
      }),
  );
  addExamples(command, [
    ["outlive diff job/nightly-29 -n batch", "list what differs from the last good run"],
    ["outlive diff nightly-29 -n batch --with UID", "compare with another Job"],
    ["outlive diff jobset/train -n ml -o wide", "also list what is equal or unknown"],
    ["outlive diff nightly-29 -n batch -o json", "print the comparison for a program"],
  ]);
}

type Row = ComparedFieldAnswer & { readonly outcome: "different" | "equal" | "unknown" };

const COLUMNS: readonly Column<Row>[] = [
  { header: "FIELD", cell: ({ title }) => title },
  { header: "BEFORE", cell: ({ before }) => before.text },
  { header: "AFTER", cell: ({ after }) => after.text },
  { header: "RESULT", cell: ({ outcome }) => outcome, wide: true },
];

async function printComparison(options: PrintOptions, comparison: ComparisonAnswer): Promise<void> {
  const rows = rowsOf(comparison);
  const shown = options.output === "table" ? rows.filter(({ outcome }) => outcome === "different") : rows;
  if (shown.length > 0 || !isForPeople(options)) {
    await printAnswer(options, { document: comparison, rows: shown, columns: COLUMNS, name: ({ title }) => title });
  }
  if (!isForPeople(options)) return;
  remark(comparison.answer);
  const usual = expectedText(comparison);
  if (usual !== undefined) remark(usual);
}

function rowsOf({ differences, equal, unknown }: ComparisonAnswer): readonly Row[] {
  return [
    ...differences.map((field) => ({ ...field, outcome: "different" as const })),
    ...equal.map((field) => ({ ...field, outcome: "equal" as const })),
    ...unknown.map((field) => ({ ...field, outcome: "unknown" as const })),
  ];
}
