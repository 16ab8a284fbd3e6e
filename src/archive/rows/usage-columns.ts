import type { JobAnswer } from "../../explain/answer-document.ts";
import type { UsageByClass } from "../../explain/usage/usage-schema.ts";
import { USAGE_CLASSES, type UsageClass } from "../../job/usage/usage.ts";
import { type Column, columns, type TableRow } from "../parquet/column.ts";

/** The classes of usage and their sum, in the names of columns. */
const SUMS = ["total", ...USAGE_CLASSES] as const;

/** What has a column for each class: the prefix, and the resource; `undefined` for the time of Pods. */
const MEASURES = [
  ["usage_pod_seconds", undefined],
  ["usage_cpu_core_seconds", "cpu"],
  ["usage_memory_byte_seconds", "memory"],
] as const;

/** What the Pods of a Job or a run reserved (docs/answers/usage.md). Unset if that is not known. */
export const USAGE_COLUMNS: readonly Column[] = [
  ...columns("whole", "usage_pods"),
  ...columns("text", "usage_bound"),
  ...MEASURES.flatMap(([prefix]) => columns("number", ...SUMS.map((of) => `${prefix}_${snakeCase(of)}`))),
  {
    name: "usage_other_resources",
    kind: "structs",
    fields: [...columns("text", "resource"), ...columns("number", ...SUMS.map(snakeCase))],
  },
];

export function usageOf({ usage }: Pick<JobAnswer, "usage">): TableRow {
  if (usage === undefined) return {};
  const { pods, bound, podSeconds, resources } = usage;
  const measures = MEASURES.flatMap(([prefix, resource]) =>
    sumsOf(resource === undefined ? podSeconds : resources[resource], `${prefix}_`),
  );
  const others = Object.entries(resources).filter(([name]) => !MEASURES.some(([, resource]) => resource === name));
  return {
    usage_pods: pods,
    usage_bound: bound,
    ...Object.fromEntries(measures),
    usage_other_resources: others.map(([resource, sums]) => ({ resource, ...Object.fromEntries(sumsOf(sums, "")) })),
  };
}

/** A resource that no Pod requested has no values. */
function sumsOf(sums: UsageByClass | undefined, prefix: string): readonly (readonly [string, number])[] {
  return sums === undefined ? [] : SUMS.map((of) => [`${prefix}${snakeCase(of)}`, sums[of]] as const);
}

function snakeCase(of: "total" | UsageClass): string {
  return of === "startUp" ? "start_up" : of;
}
