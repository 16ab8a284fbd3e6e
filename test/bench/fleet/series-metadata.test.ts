import { describe, expect, it } from "vitest";
import { chartMetadata, type SeriesMetadata } from "../../../bench/fleet/series-metadata.ts";
import { eventsOfJob, type PlannedJob } from "../../../bench/fleet/job-template.ts";
import { fieldsOf } from "../../../src/kubernetes/json/json-field.ts";

const SERIES = { namespace: "team-4", series: "report-1-2" };

function bytesOf({ labels, annotations }: SeriesMetadata): number {
  const entries = [labels, annotations].flatMap((one) => Object.entries(one));
  return entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}

describe("the metadata of a series", () => {
  it("has ten labels and three annotations, about 420 bytes together", () => {
    const metadata = chartMetadata(SERIES);
    expect(Object.keys(metadata.labels)).toHaveLength(10);
    expect(Object.keys(metadata.annotations)).toHaveLength(3);
    expect(Math.round(bytesOf(metadata) / 10)).toBe(42);
  });

  it("is the same for all runs, and another one for another series", () => {
    expect(chartMetadata(SERIES)).toEqual(chartMetadata({ ...SERIES }));
    expect(chartMetadata({ ...SERIES, series: "report-1-3" }).labels).not.toEqual(chartMetadata(SERIES).labels);
  });

  it("is in every observation of the Job", () => {
    const metadata = chartMetadata(SERIES);
    const job: PlannedJob = {
      end: "completes",
      cluster: "fleet-1",
      namespace: SERIES.namespace,
      name: `${SERIES.series}-29000001`,
      number: 1,
      lifetime: 40_000,
      ttl: 300_000,
      metadata,
    };
    const observed = eventsOfJob(job, 0).filter(({ event }) => event.object["kind"] === "Job");
    expect(observed.length).toBeGreaterThan(3);
    for (const { event } of observed) expect(fieldsOf(event.object["metadata"])).toMatchObject(metadata);
  });
});
