import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../../../src/host/embedded/import-recordings.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { withExpectations } from "../../../src/query/job/expected-in-list.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { OBSERVED_AT, writeSeriesRecording } from "../../support/recordings/series-recording.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
const seconds = Array.from({ length: 20 }, (_, at) => 600 + ((at * 37) % 200));
const SERIES = [
  { name: "usual", seconds },
  { name: "few", seconds: [600, 700] },
];

describe("the Jobs of a list with what is expected", async () => {
  const file = join(scratch.path, "series.ndjson");
  writeSeriesRecording(file, { series: SERIES });
  const embedded = openEmbedded(join(scratch.path, "outlive.sqlite"));
  await importRecordings(embedded, { clusterName: "east", files: [file] });
  const ports = { ...embedded, jobs: await liveJobs(embedded.projections, embedded.meta) };
  const now = OBSERVED_AT + 3_600_000;
  afterAll(async () => {
    embedded.close();
    await scratch.remove();
  });

  it("expect what the answer about each Job expects, and those that ended nothing", async () => {
    const list = await listJobs(ports, "everything", { filter: {}, limit: 500 });
    if (list.outcome !== "listed") throw new Error(list.outcome);
    const jobs = await withExpectations(ports, list.items, now);
    const running = jobs.filter(({ verdict }) => !verdict.final);
    const bySeries = running.map(({ series, expected, noExpectation }) => [
      series?.name,
      expected?.runs ?? noExpectation,
    ]);
    expect(Object.fromEntries(bySeries)).toEqual({
      usual: 20,
      few: "No expectation: 2 of 10 successful runs are known.",
    });
    for (const { namespace, name, uid, expected, noExpectation } of running) {
      const wanted = { cluster: clusterNamed("east"), namespace, name, uid };
      const got = await getJob(ports, { scope: "everything", wanted }, { now });
      expect(got).toMatchObject({ answer: { ...(expected && { expected }), ...(noExpectation && { noExpectation }) } });
    }
    expect(jobs.filter(({ verdict, expected }) => verdict.final && expected !== undefined)).toEqual([]);
  });
});
