import { type Command, InvalidArgumentError, Option } from "commander";
import { getJson } from "../../src/host/client/api-client.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { count } from "../../src/job/text/sentence.ts";
import { parseUsageGrouping, USAGE_GROUPS } from "../../src/query/usage/usage-group.ts";
import { USAGE_SORTS, type UsageReport } from "../../src/query/usage/usage-report.ts";
import { addJobSelection, type JobSelection, jobSelectionQuery } from "../options/job-filter-options.ts";
import { printAnswer, remark } from "../output/print-answer.ts";
import {
  addQueryOptions,
  anyNamespaceOption,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { timeOption } from "../options/time-option.ts";
import { failForUnknownPlace } from "../query/unknown-place.ts";
import { withClient } from "../query/with-client.ts";
import {
  costOf,
  onUnknownNodes,
  type PricedUsage,
  pricedLabels,
  type Prices,
  readPrices,
  withoutPrice,
} from "./price-file.ts";
import { amountColumns, amountRows, classColumns, classRows, groupColumns, type UsageRow } from "./usage-columns.ts";

interface UsageOptions extends SourceOptions, PrintOptions, JobSelection {
  readonly since?: string;
  readonly until?: string;
  readonly by?: string;
  readonly sort?: string;
  readonly prices?: string;
}

export function define(command: Command): void {
  addJobSelection(command.addOption(anyNamespaceOption("Jobs of this namespace (default: all namespaces)")))
    .addOption(
      timeOption("--since <time>", "from this UTC day on: a time, or a duration before now (default: all days)"),
    )
    .addOption(timeOption("--until <time>", "until the end of this UTC day (default: now)"))
    .addOption(new Option("--by <group>", `sum up by ${USAGE_GROUPS.join(", ")} or label=KEY`).argParser(readGrouping))
    .addOption(new Option("--sort <order>", "order of the groups").choices(USAGE_SORTS).default("size"))
    .option("--prices <file>", "a file of prices, to add what it cost: see docs/answers/usage.md");
  addQueryOptions(command, { name: NAMELESS }).action(async (options: UsageOptions) => {
    const prices = options.prices === undefined ? undefined : await readPrices(options.prices);
    return withClient(options, async (api) => {
      const { since, until, by, sort } = options;
      const nodeLabels = prices && pricedLabels(prices)?.join(",");
      const query = { ...jobSelectionQuery(options), since, until, by, sort, nodeLabels };
      const report = await getJson<UsageReport>(api, "/v1/usage", query);
      if (report.usage.pods === 0) await failForUnknownPlace(api, options);
      await printReport(options, report, prices);
      remarkLimits(report, prices);
    });
  });
  addExamples(command, [
    ["outlive usage --since 7d", "what Jobs reserved in the last seven days, by what became of it"],
    ["outlive usage --by namespace --since 30d", "the same by namespace, for 30 days"],
    ["outlive usage --by series --sort waste", "which CronJobs and other series waste most"],
    ["outlive usage --by label=team -o csv", "by the label team, for a spreadsheet"],
    ["outlive usage --by node --since 1d --prices prices.yaml", "by node, with what it cost"],
  ]);
}

function readGrouping(text: string): string {
  if (parseUsageGrouping(text) !== undefined) return text;
  throw new InvalidArgumentError(`Choose one of ${USAGE_GROUPS.join(", ")}, or label=KEY, such as label=team.`);
}

/** A report has no names: `-o name` is refused before. */
const name = () => "";

async function printReport(options: UsageOptions, report: UsageReport, prices: Prices | undefined): Promise<void> {
  const { by, output } = options;
  const priced = <Row extends PricedUsage>(row: Row) =>
    prices === undefined ? row : { ...row, cost: costOf(row, prices) };
  const { groups } = report;
  const rows: readonly UsageRow[] = (groups ?? [{ ...report, key: "all" }]).map(priced);
  const header = (by ?? "group").replace(/^label=/, "").toUpperCase();
  const document = {
    ...(prices && { currency: prices.currency }),
    ...priced(report),
    ...(groups && { groups: rows }),
  };
  if (output === "csv") {
    return printAnswer(options, { document, rows: amountRows(rows), columns: amountColumns(header, prices), name });
  }
  const [all] = rows;
  if (by === undefined && all !== undefined) {
    const columns = classColumns(all, prices);
    return printAnswer(options, { document, rows: classRows(all), columns, name, objects: [document] });
  }
  return printAnswer(options, { document, rows, columns: groupColumns(header, rows, prices), name });
}

const AT_MOST = "Some Pods were released at an unknown time before: their time is at most this.";

/** What the report leaves out. */
function remarkLimits(report: UsageReport, prices: Prices | undefined): void {
  const { since, until, asOf, partial, unknown, groupsOmitted, usage } = report;
  remark(`${rangeText(since)}until ${until}, of Jobs that are over.`);
  if (usage.bound === "at most") remark(AT_MOST);
  if (unknown !== undefined) remark(`Left out: ${count(unknown, "Job")} whose Pods do not say what they reserved.`);
  if (asOf !== undefined) remark(`As of ${asOf.time}. Later changes are counted within some minutes.`);
  if (partial !== undefined) remark(`Too many Jobs for one report: it covers Jobs created since ${partial.since}.`);
  if (groupsOmitted !== undefined) remark(`${groupsOmitted} smaller groups are not printed. Narrow the query.`);
  if (prices !== undefined) remarkPrices(report, prices);
}

/** What the prices leave out. */
function remarkPrices(report: UsageReport, prices: Prices): void {
  const unknown = onUnknownNodes(report);
  if (unknown !== undefined) {
    const pods = unknown.pods === 0 ? "Some Pods" : count(unknown.pods, "Pod");
    remark(`${pods} ran on nodes of unknown labels: ${USUAL_PRICES}`);
  }
  const unpriced = withoutPrice(report, prices);
  if (unpriced.length > 0) remark(`The file of prices has no price for ${unpriced.join(", ")}: it costs nothing here.`);
}

const USUAL_PRICES = 'their prices are those of "perHour" at the top of the file.';

/** A report of all days begins in 1970. */
function rangeText(since: string): string {
  return since.startsWith("1970-") ? "All days " : `From ${since} `;
}

const NAMELESS = "A report of usage has no names. Use table, wide, json, yaml or csv.";
