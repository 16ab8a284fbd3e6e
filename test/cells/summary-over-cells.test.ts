import { describe, expect, it } from "vitest";
import { summaryOverCells } from "../../src/cells/summary-over-cells.ts";
import { SummaryTallies } from "../../src/query/summary/summary.ts";
import { answering, cellReader } from "../support/http/cell-reader.ts";
import { listedJob } from "../support/story/listed-job.ts";

const REGISTRY = { cells: [{ name: "eu" }, { name: "us", url: "https://us.test" }], clusters: {} };
const QUERY = { path: "/v1/summary", parameters: new URLSearchParams("state=Failed"), cluster: undefined };
const SINCE = "2026-01-01T00:10:00Z";

function counting(jobs: number) {
  const tallies = new SummaryTallies();
  for (let n = 0; n < jobs; n += 1) for (const tally of tallies.of(undefined)) tally.add(listedJob(), false);
  return { ...tallies.answer(false, { durationBuckets: true }), complete: true };
}

describe("a summary over cells", () => {
  it("is the sum of all", async () => {
    const reader = cellReader(REGISTRY, (cell) => answering(counting(cell === "eu" ? 2 : 3)));
    expect(await summaryOverCells(reader, QUERY)).toMatchObject({ body: { jobs: 5, complete: true } });
    expect(reader.asked[0]).toBe("eu /v1/summary?state=Failed&durationBuckets=true");
  });

  it("counts every cell from where the least complete one begins", async () => {
    const reader = cellReader(REGISTRY, (cell, target) => {
      if (cell === "us") return answering({ ...counting(3), complete: false, partial: { since: SINCE } });
      return answering(counting(target.includes("createdAfter") ? 1 : 2));
    });
    const { body } = (await summaryOverCells(reader, QUERY)) as { body: unknown };
    expect(body).toMatchObject({ jobs: 4, complete: false, partial: { since: SINCE } });
    expect(reader.asked[2]).toContain(encodeURIComponent("2026-01-01T00:09:59.999Z"));
    expect(reader.asked).toHaveLength(3);
  });
});
