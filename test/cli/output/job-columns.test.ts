import { describe, expect, it } from "vitest";
import { age, jobColumns, jobResourceName } from "../../../cli/output/job-columns.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");
const headersOf = (shown: { readonly cluster: boolean; readonly namespace: boolean }, wide: boolean) =>
  jobColumns(NOW, shown).flatMap((column) => (wide || column.wide !== true ? [column.header] : []));
const ALL_OF_FOLD = jobColumns(NOW, { cluster: false, namespace: false, expected: true });
const cellsOf = (job: ReturnType<typeof listedJob>) =>
  Object.fromEntries(ALL_OF_FOLD.map(({ header, cell }) => [header, cell(job)]));

describe("the columns of Jobs", () => {
  it("begin with those of kubectl", () => {
    const headers = headersOf({ cluster: false, namespace: false }, false);
    expect(headers.slice(0, 5)).toEqual(["NAME", "STATUS", "COMPLETIONS", "DURATION", "AGE"]);
  });

  it("include the cluster and the namespace if the list has several", () => {
    expect(headersOf({ cluster: true, namespace: true }, false).slice(0, 3)).toEqual(["CLUSTER", "NAMESPACE", "NAME"]);
  });

  it("show the duration of the run and the age of the Job", () => {
    expect(cellsOf(listedJob())).toMatchObject({ NAME: "report", STATUS: "Complete", DURATION: "10s", AGE: "24h" });
  });

  it("measure a running Job until the last data from its cluster", () => {
    const { finishedAt: _, ...unfinished } = listedJob();
    const running = {
      ...unfinished,
      verdict: { state: "Running", final: false, basis: "observed" },
      completeness: { level: "stale", gaps: [], heardAt: "2026-01-01T00:01:01Z" },
    } as const;
    expect(cellsOf(running)).toMatchObject({ DURATION: "60s" });
  });

  it("show what the median and the 90th percentile of past runs let expect", () => {
    const expected = { runs: 20, p50: 90, p90: 600, max: 700, remaining: { p50: 30, p90: 300, of: 12 } };
    expect(cellsOf({ ...listedJob(), expected })).toMatchObject({ EXPECTED: "90s to 10m", LEFT: "30s to 5m" });
    expect(cellsOf(listedJob())).toMatchObject({ EXPECTED: undefined, LEFT: undefined });
  });

  it("list each kind of finding once", () => {
    const finding = { kind: "ReRunAfterSuccess" } as ReturnType<typeof listedJob>["findings"][number];
    expect(cellsOf(listedJob({ findings: [finding, finding] }))).toMatchObject({ FINDINGS: "ReRunAfterSuccess" });
  });
});

describe("a Job in -o name", () => {
  it("has the type that kubectl prints", () => {
    expect(jobResourceName({ name: "report" })).toBe("job.batch/report");
  });
});

describe("an age", () => {
  it.each([
    ["2026-01-01T23:58:00Z", "2m"],
    [undefined, "<unknown>"],
  ])("of %s is %s", (instant, text) => {
    expect(age(instant, NOW)).toBe(text);
  });
});
