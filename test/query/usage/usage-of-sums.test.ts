import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { reportUsage } from "../../../src/query/usage/report-usage.ts";
import type { UsageQuery } from "../../../src/query/usage/usage-report.ts";
import { DAY_BEGIN, HOUR } from "../../support/stores/count-scene.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { countedStage, FIRST_DAY, JOBS_OF_TWO_DAYS } from "../../support/story/reported-usage.ts";

const counted = await countedStage(JOBS_OF_TWO_DAYS);
const { sums: _, ...uncounted } = counted;

async function seconds(ports: QueryPorts, query: Partial<UsageQuery>, scope: Scope = "everything") {
  const { groups = [] } = await reportUsage(ports, scope, { ...FIRST_DAY, ...query });
  return Object.fromEntries(groups.map(({ key, usage }) => [key, [usage.pods, usage.podSeconds.total]]));
}

const sum = (from: number, to: number, step = 1) => {
  let total = 0;
  for (let n = from; n < to; n += step) total += 101 + n;
  return total;
};

describe("a report of usage from stored sums", () => {
  it.each(["cluster", "namespace", "day", undefined] as const)(
    "is the same from sums and from Jobs by %s",
    async (by) => {
      for (const filter of [{}, { cluster: clusterOf("east") }, { namespace: "b" }]) {
        for (const until of [24, 25, 60].map((hours) => DAY_BEGIN + hours * HOUR)) {
          const query = { ...FIRST_DAY, filter, until, by };
          const { asOf, ...ofSums } = await reportUsage(counted, "everything", query);
          expect(asOf).toBeDefined();
          expect(await reportUsage(uncounted, "everything", query)).toEqual(ofSums);
        }
      }
    },
  );

  it("shows a reader of one namespace that namespace only", async () => {
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["a"] }] };
    const own = { a: [4, sum(0, 24, 6) + 40] };
    expect(await seconds(counted, { by: "namespace" }, scope)).toEqual(own);
    expect(await seconds(uncounted, { by: "namespace" }, scope)).toEqual(own);
  });

  it("is read from Jobs for one namespace of a cluster whose sums have all as one", async () => {
    const { sums } = counted;
    if (sums === undefined) throw new Error("The stage has no sums.");
    const coarse: QueryPorts = {
      ...counted,
      sums: {
        ...sums,
        usage: async function* (cluster, days) {
          for await (const cell of sums.usage(cluster, days)) yield { ...cell, namespace: "*" };
        },
      },
    };
    const query = { ...FIRST_DAY, filter: { namespace: "b" }, by: "namespace" as const };
    const report = await reportUsage(coarse, "everything", query);
    expect(report).toEqual(await reportUsage(uncounted, "everything", query));
    expect(report.usage.pods).toBeGreaterThan(0);
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["a"] }] };
    expect(await seconds(coarse, { by: "namespace" }, scope)).toEqual({ a: [4, sum(0, 24, 6) + 40] });
    expect(Object.keys(await seconds(coarse, { by: "namespace" }))).toEqual(["*"]);
  });
});
