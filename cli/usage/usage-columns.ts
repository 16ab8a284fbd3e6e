import type { UsageByClass } from "../../src/explain/usage/usage-schema.ts";
import { amountText, CLASS_WORDS, classesOf, rounded, shareText } from "../../src/explain/usage/usage-text.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import type { UsageClass } from "../../src/job/usage/usage.ts";
import type { Column } from "../output/table.ts";
import { reservedText } from "../output/reserved-text.ts";
import { costOfAmount, type PricedUsage, type Prices } from "./price-file.ts";

/** One row of a report: a group, and what it costs if there are prices. */
export interface UsageRow extends PricedUsage {
  readonly key: string;
  readonly cost?: UsageByClass;
}

/** Classes that have a column of their own. The others are shown with `-o wide`. */
const SHOWN: readonly UsageClass[] = ["kept", "startUp", "failed", "interrupted", "duplicate", "idle"];
const WIDE: readonly UsageClass[] = ["cancelled", "unknown"];

/** The columns of a table of groups: each resource that any group has, and each class as a share of the Pod time. */
export function groupColumns(header: string, rows: readonly UsageRow[], prices?: Prices): readonly Column<UsageRow>[] {
  const resources = [...new Set(rows.flatMap(({ usage }) => Object.keys(usage.resources)))].sort();
  return [
    { header, cell: ({ key }) => key },
    { header: "PODS", cell: ({ usage }) => usage.pods },
    { header: "POD-TIME", cell: ({ usage }) => reservedText(usage) },
    ...resources.map((resource) => amountColumn(resource)),
    ...SHOWN.map((of) => shareColumn(of)),
    ...WIDE.map((of) => ({ ...shareColumn(of), wide: true as const })),
    ...(prices === undefined ? [] : [costColumn(prices)]),
  ];
}

function amountColumn(resource: string): Column<UsageRow> {
  return {
    header: resource.toUpperCase(),
    cell: ({ usage }) => {
      const amounts = usage.resources[resource];
      return amounts && amountText(resource, amounts.total);
    },
  };
}

function shareColumn(of: UsageClass): Column<UsageRow> {
  return {
    header: CLASS_WORDS[of].toUpperCase(),
    cell: ({ usage: { podSeconds } }) => (podSeconds[of] > 0 ? shareText(podSeconds, of) : undefined),
  };
}

function costColumn({ currency }: Prices): Column<UsageRow> {
  return { header: currency, cell: ({ cost }) => cost?.total.toFixed(2) };
}

/** A class of a report without groups. */
interface ClassRow {
  readonly of: keyof UsageByClass;
  readonly row: UsageRow;
}

export function classRows(row: UsageRow): readonly ClassRow[] {
  const { podSeconds } = row.usage;
  return (["total", ...classesOf(podSeconds)] as const).map((of) => ({ of, row }));
}

/** The columns of a report without groups: one row for each class. */
export function classColumns({ usage }: UsageRow, prices?: Prices): readonly Column<ClassRow>[] {
  return [
    { header: "CLASS", cell: ({ of }) => (of === "total" ? of : CLASS_WORDS[of]) },
    { header: "POD-TIME", cell: ({ of, row }) => humanDuration(row.usage.podSeconds[of] * 1_000) },
    {
      header: "SHARE",
      cell: ({ of, row }) => (of === "total" ? undefined : shareText(row.usage.podSeconds, of)),
    },
    ...Object.keys(usage.resources).map((resource): Column<ClassRow> => ({
      header: resource.toUpperCase(),
      cell: ({ of, row }) => amountText(resource, row.usage.resources[resource]?.[of] ?? 0),
    })),
    ...(prices === undefined
      ? []
      : [{ header: prices.currency, cell: ({ of, row }: ClassRow) => row.cost && rounded(row.cost[of]) }]),
  ];
}

/** An amount of one resource in one class, for CSV. */
export interface AmountRow {
  readonly row: UsageRow;
  /** Empty for the time of the Pods. */
  readonly resource: string;
  readonly of: UsageClass;
  readonly amount: number;
}

export function amountRows(rows: readonly UsageRow[]): readonly AmountRow[] {
  return rows.flatMap((row) => {
    const { podSeconds, resources } = row.usage;
    return [["", podSeconds] as const, ...Object.entries(resources)].flatMap(([resource, amounts]) =>
      classesOf(amounts).map((of) => ({ row, resource, of, amount: amounts[of] })),
    );
  });
}

/** The columns of CSV, in the units of the API: seconds of Pods, cores, bytes and units. */
export function amountColumns(header: string, prices?: Prices): readonly Column<AmountRow>[] {
  return [
    { header, cell: ({ row }) => row.key },
    { header: "PODS", cell: ({ row }) => row.usage.pods },
    { header: "BOUND", cell: ({ row }) => row.usage.bound },
    { header: "RESOURCE", cell: ({ resource }) => (resource === "" ? "pod" : resource) },
    { header: "CLASS", cell: ({ of }) => of },
    { header: "UNIT-SECONDS", cell: ({ amount }) => amount },
    ...(prices === undefined
      ? []
      : [{ header: prices.currency, cell: ({ row, ...amount }: AmountRow) => costOfAmount(row, amount, prices) }]),
  ];
}
