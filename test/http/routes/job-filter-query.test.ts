import { describe, expect, it } from "vitest";
import { readJobFilter } from "../../../src/http/routes/job-filter-query.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";
import { apiWith } from "../../support/http/request-api.ts";

const DAY = 86_400_000;

/** The API of the tests answers at 2026-01-02T00:00:00Z. */
const jobs = [
  listedJob({ uid: "early", createdAt: second(0) }),
  listedJob({
    uid: "late",
    createdAt: "2026-01-01T23:30:00Z",
    verdict: { state: "Failed", final: true, basis: "both" },
  }),
];

async function uidsOf(query: string): Promise<unknown> {
  const { body } = await (await apiWith(jobs)).ask(`/v1/jobs?${query}`);
  return body;
}

describe("a filter of Jobs", () => {
  it.each([
    ["createdAfter=2h", ["late"]],
    ["createdAfter=1d12h", ["late", "early"]],
    ["createdBefore=90m", ["early"]],
    ["createdAfter=1d12h&createdBefore=2h", ["early"]],
    ["state=failed", ["late"]],
    ["state=FAILED,complete", ["late", "early"]],
    ["fieldSelector=state%3Dfailed", ["late"]],
    ["fieldSelector=state!%3DFaILED", ["early"]],
  ])("%s selects %j", async (query, uids) => {
    expect(await uidsOf(query)).toMatchObject({ items: uids.map((uid) => ({ uid })) });
  });

  it("refuses a range of durations that ends before it begins", async () => {
    const { text } = await (await apiWith(jobs)).ask("/v1/jobs?finishedAfter=1h&finishedBefore=2h");
    expect(text).toContain("exchange the two");
  });

  it("moves its bounds with the request, and stays the same list for a cursor", () => {
    const query = { createdAfter: { millisAgo: DAY }, finishedBefore: 5 };
    const [first, second] = [readJobFilter(query, DAY), readJobFilter(query, 3 * DAY)];
    expect(first).toMatchObject({ outcome: "read", filter: { createdAfter: 0, finishedBefore: 5 } });
    expect(second).toMatchObject({ outcome: "read", filter: { createdAfter: 2 * DAY, finishedBefore: 5 } });
    expect("written" in first && first.written).toEqual("written" in second && second.written);
  });
});
