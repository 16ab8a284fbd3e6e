import { JOB_INDEXES } from "../../src/ports/deployment/tables.ts";
import { MEASURED, SCALE } from "./day-cost.ts";
import { fleetRate } from "../fleet/reference-fleet.ts";

/** A metric of CloudWatch over a time. */
export interface MetricQuery {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: "Sum" | "Average" | "Maximum";
}

/** Resolves to `undefined` where CloudWatch has no data. */
export type ReadMetric = (query: MetricQuery) => Promise<number | undefined>;

/** The deployed stage, by the physical names that metrics have. */
export interface MeasuredStage {
  readonly log: string;
  readonly jobs: readonly string[];
  readonly meta: string;
  readonly queue: string;
  readonly ingest: string;
  readonly project: string;
}

/** What was sent, and what the API answered. */
export interface SentLoad {
  readonly jobs: number;
  readonly messages: number;
  /** Milliseconds from the acceptance of a segment until the API had its Job. */
  readonly latencies: readonly number[];
}

/** One row of the table. */
export interface Figure {
  readonly name: string;
  readonly modelled: number;
  /** Absent where there is no data: emulators have few metrics. */
  readonly measured: number | undefined;
}

/** Segments that arrive in the window of a second, and the one that begins it, if one poller gets all of them. */
const MESSAGES_IN_BATCH = 1 + (fleetRate() / SCALE) * MEASURED.messages;

/** Compares what the day's load took with what the bill and docs/scale.md model. */
export async function measureFigures(
  read: ReadMetric,
  stage: MeasuredStage,
  { jobs, messages, latencies }: SentLoad,
): Promise<readonly Figure[]> {
  const perJob = async (queries: readonly MetricQuery[]) => over(await sumOf(read, queries), jobs);
  const tables = [stage.log, ...stage.jobs, stage.meta];
  const { writeUnits } = MEASURED;
  const invocations = await read(ofFunction(stage.ingest, "Invocations", "Sum"));
  return [
    figure("write units per Job, log", writeUnits.log, await perJob([written(stage.log)])),
    figure("write units per Job, tables of Jobs and their indexes", writeUnits.jobs, await perJob(jobWrites(stage))),
    figure("write units per Job, records", writeUnits.meta, await perJob([written(stage.meta)])),
    figure("messages per Job", MEASURED.messages, await perJob([ofQueue(stage.queue, "NumberOfMessagesSent", "Sum")])),
    figure("messages in a batch of ingest", MESSAGES_IN_BATCH, over(messages, invocations)),
    figure("duration of ingest, ms", 50, await read(ofFunction(stage.ingest, "Duration", "Average"))),
    figure("duration of project, ms", 150, await read(ofFunction(stage.project, "Duration", "Average"))),
    figure(
      "age of the stream's records, ms, most",
      1_000,
      await read(ofFunction(stage.project, "IteratorAge", "Maximum")),
    ),
    figure("throttled puts", 0, await sumOf(read, tables.map(throttledPuts))),
    figure("errors of ingest and project", 0, await sumOf(read, errorsOf(stage))),
    figure("accepted to queryable, ms, p50", 1_000, percentile(latencies, 0.5)),
    figure("accepted to queryable, ms, p99", 2_000, percentile(latencies, 0.99)),
  ];
}

/** The table of docs/deploy/aws-day.md. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, modelled, measured }) => {
    const shown = measured === undefined ? "no data" : rounded(measured);
    return `| ${name} | ${rounded(modelled)} | ${shown} |`;
  });
  return ["| figure | modelled | measured |", "|---|---|---|", ...rows].join("\n");
}

function figure(name: string, modelled: number, measured: number | undefined): Figure {
  return { name, modelled, measured };
}

async function sumOf(read: ReadMetric, queries: readonly MetricQuery[]): Promise<number | undefined> {
  const values = await Promise.all(queries.map(read));
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function over(value: number | undefined, divisor: number | undefined): number | undefined {
  return value === undefined || divisor === undefined || divisor === 0 ? undefined : value / divisor;
}

function written(TableName: string, index: Readonly<Record<string, string>> = {}): MetricQuery {
  const dimensions = { TableName, ...index };
  return { namespace: "AWS/DynamoDB", name: "ConsumedWriteCapacityUnits", dimensions, statistic: "Sum" };
}

function jobWrites({ jobs }: MeasuredStage): readonly MetricQuery[] {
  return jobs.flatMap((table) => [
    written(table),
    ...Object.keys(JOB_INDEXES).map((GlobalSecondaryIndexName) => written(table, { GlobalSecondaryIndexName })),
  ]);
}

function throttledPuts(TableName: string): MetricQuery {
  const dimensions = { TableName, Operation: "PutItem" };
  return { namespace: "AWS/DynamoDB", name: "ThrottledRequests", dimensions, statistic: "Sum" };
}

function ofQueue(QueueName: string, name: string, statistic: MetricQuery["statistic"]): MetricQuery {
  return { namespace: "AWS/SQS", name, dimensions: { QueueName }, statistic };
}

function ofFunction(FunctionName: string, name: string, statistic: MetricQuery["statistic"]): MetricQuery {
  return { namespace: "AWS/Lambda", name, dimensions: { FunctionName }, statistic };
}

function errorsOf({ ingest, project }: MeasuredStage): readonly MetricQuery[] {
  return [ingest, project].map((name) => ofFunction(name, "Errors", "Sum"));
}

function percentile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US");
}
