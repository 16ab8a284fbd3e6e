import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { CLASS_WORDS, classesOf } from "../../src/explain/usage/usage-text.ts";
import { type UsageReport, wastedSeconds } from "../../src/query/usage/usage-report.ts";
import { type JobFilterOptions, jobSelectionQuery } from "../options/job-filter-options.ts";
import { reservedText } from "../output/reserved-text.ts";

/** A line of a summary: its name, a text for people, and the exact number of seconds. */
export type UsageLine = readonly [name: string, value: string, exact: number];

/** How many series that waste most are shown. */
const WORST = 10;

/**
 * What the Jobs of a summary reserved: by what became of it, and the series that waste most. Nothing for filters that
 * usage does not have.
 */
export async function usageLines(api: ApiClient, options: JobFilterOptions): Promise<readonly UsageLine[]> {
  if (NOT_OF_USAGE.some((filter) => options[filter] !== undefined)) return [];
  const { createdAfter } = options;
  const query = { ...jobSelectionQuery(options), since: createdAfter };
  const report = await getJson<UsageReport>(api, "/v1/usage", query);
  if (report.usage.pods === 0) return [];
  const bySeries = await getJson<UsageReport>(api, "/v1/usage", { ...query, by: "series", sort: "waste" });
  return [...classLines(report, createdAfter && report.since), ...worstLines(bySeries)];
}

/** Filters by state and time choose Jobs, and usage is about a range of time. */
const NOT_OF_USAGE = [
  "state",
  "fieldSelector",
  "waiting",
  "attention",
  "createdBefore",
  "startedAfter",
  "startedBefore",
  "finishedAfter",
  "finishedBefore",
  "deletedAfter",
  "deletedBefore",
] as const satisfies readonly (keyof JobFilterOptions)[];

/** `since`: the beginning of the day of a range that does not contain all days. */
function classLines({ usage }: UsageReport, since: string | undefined): readonly UsageLine[] {
  const { podSeconds, failedBy } = usage;
  const range = since === undefined ? "" : ` from ${since}`;
  return [
    [`Reserved${range} by Jobs that are over`, reservedText(usage), podSeconds.total],
    ...classesOf(podSeconds).flatMap((of): readonly UsageLine[] => [
      [`  ${CLASS_WORDS[of]}`, timeText(podSeconds[of]), podSeconds[of]],
      ...(of === "failed" ? responsibleLines(failedBy) : []),
    ]),
  ];
}

function responsibleLines(failedBy: UsageReport["usage"]["failedBy"]): readonly UsageLine[] {
  return Object.entries(failedBy ?? {})
    .filter(([, seconds]) => seconds > 0)
    .map(([responsible, seconds]) => [`    by ${responsible}`, timeText(seconds), seconds]);
}

function worstLines({ groups = [] }: UsageReport): readonly UsageLine[] {
  const worst = groups.filter(({ key, usage }) => key !== "" && wastedSeconds(usage) > 0).slice(0, WORST);
  if (worst.length === 0) return [];
  const wasted = worst.reduce((sum, { usage }) => sum + wastedSeconds(usage), 0);
  return [
    ["Series that waste most", timeText(wasted), wasted],
    ...worst.map(({ key, usage }): UsageLine => [
      `  ${key}`,
      `${timeText(wastedSeconds(usage))} of ${timeText(usage.podSeconds.total)}`,
      wastedSeconds(usage),
    ]),
  ];
}

function timeText(seconds: number): string {
  return humanDuration(seconds * 1_000);
}
