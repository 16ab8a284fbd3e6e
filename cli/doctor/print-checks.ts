import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { printAnswer } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import type { Check } from "./check.ts";

/** Prints checks. Fails with status 1 if one of them failed. */
export async function printChecks(options: PrintOptions, checks: readonly Check[]): Promise<void> {
  await printAnswer<Check>(options, {
    document: { items: checks },
    rows: checks,
    columns: COLUMNS,
    name: ({ check }) => check,
  });
  const failed = checks.filter(({ result }) => result === "failed");
  if (failed.length > 0) throw new CommandFailure(1, `Failed checks: ${failed.map(({ check }) => check).join(", ")}.`);
}

const COLUMNS: readonly Column<Check>[] = [
  { header: "CHECK", cell: ({ check }) => check },
  { header: "RESULT", cell: ({ result }) => result },
  { header: "DETAIL", cell: ({ detail }) => detail },
];
