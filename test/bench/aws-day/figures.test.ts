import { describe, expect, it } from "vitest";
import { type Figure, measureFigures, type MetricQuery, tableOf } from "../../../bench/aws-day/figures.ts";

const STAGE = { log: "log", jobs: ["a", "b"], meta: "meta", queue: "queue", ingest: "ingest", project: "project" };
const LOAD = { jobs: 100, messages: 150, latencies: [300, 100, 200] };

/** A CloudWatch that has these values, by `name dimension...`. */
function metrics(values: Readonly<Record<string, number>>) {
  return ({ name, dimensions }: MetricQuery) => Promise.resolve(values[[name, ...Object.values(dimensions)].join(" ")]);
}

function measuredOf(figures: readonly Figure[], name: string): number | undefined {
  return figures.find((each) => each.name === name)?.measured;
}

describe("the figures of a day on AWS", () => {
  it("are units per Job: those of the tables of Jobs have their indexes", async () => {
    const read = metrics({
      "ConsumedWriteCapacityUnits log": 70,
      "ConsumedWriteCapacityUnits a": 310,
      "ConsumedWriteCapacityUnits a list": 100,
      "ConsumedWriteCapacityUnits b wide": 5,
      "Invocations ingest": 30,
    });
    const figures = await measureFigures(read, STAGE, LOAD);
    expect(measuredOf(figures, "write units per Job, log")).toBe(0.7);
    expect(measuredOf(figures, "write units per Job, tables of Jobs and their indexes")).toBe(4.15);
    expect(measuredOf(figures, "messages in a batch of ingest")).toBe(5);
  });

  it("are latencies of the probes", async () => {
    const figures = await measureFigures(metrics({}), STAGE, LOAD);
    expect(measuredOf(figures, "accepted to queryable, ms, p50")).toBe(200);
    expect(measuredOf(figures, "accepted to queryable, ms, p99")).toBe(300);
  });

  it("have no value without data: no metric is not zero", async () => {
    const figures = await measureFigures(metrics({}), STAGE, { ...LOAD, latencies: [] });
    expect(new Set(figures.map(({ measured }) => measured))).toEqual(new Set([undefined]));
  });

  it("are a table of modelled against measured", () => {
    const figures = [
      { name: "units", modelled: 6.324, measured: 7 },
      { name: "errors", modelled: 0, measured: undefined },
    ];
    expect(tableOf(figures).split("\n")).toEqual([
      "| figure | modelled | measured |",
      "|---|---|---|",
      "| units | 6.32 | 7 |",
      "| errors | 0 | no data |",
    ]);
  });
});
