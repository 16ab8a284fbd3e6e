import { describe, expect, it } from "vitest";
import { cronJobsText } from "../../../cli/query/cron-jobs-with-findings.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";

function apiWith(body: unknown) {
  const asked: string[] = [];
  const api: ApiClient = {
    name: "test",
    request: async (path) => {
      asked.push(path);
      return Response.json(body);
    },
    close: async () => {},
  };
  return { api, asked };
}

const missed = (name: string) => ({
  namespace: "batch",
  name,
  findings: [{ kind: "MissedRun" }, { kind: "TrendSlower" }],
});

describe("CronJobs with findings, below a list of Jobs", () => {
  it("are not mentioned if there are none", async () => {
    expect(await cronJobsText(apiWith({ items: [] }).api, {})).toBeUndefined();
  });

  it("are named with their findings, of the same cluster and namespace", async () => {
    const { api, asked } = apiWith({ items: [missed("nightly")] });
    expect(await cronJobsText(api, { cluster: "east", namespace: "batch", state: "Failed" })).toBe(
      '1 CronJob has findings: batch/nightly (MissedRun, TrendSlower). "outlive cronjobs --attention" explains them.',
    );
    expect(asked).toEqual(["/v1/cronjobs?cluster=east&namespace=batch&attention=true"]);
  });

  it("are named up to five, and counted as at least so many if there are more to examine", async () => {
    const items = ["a", "b", "c", "d", "e", "f"].map(missed);
    expect(await cronJobsText(apiWith({ items, nextCursor: "next" }).api, {})).toMatch(
      /^At least 6 CronJobs have findings: batch\/a .*batch\/e \(MissedRun, TrendSlower\), \.\.\.\. /,
    );
  });
});
