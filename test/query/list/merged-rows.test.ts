import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareText } from "../../../src/job/model/compare-text.ts";
import type { JobPage, ListOptions } from "../../../src/ports/jobs.ts";
import {
  afterInstant,
  beforeInstant,
  type MergedPosition,
  type MergeRange,
  mergeRows,
  type RowSource,
} from "../../../src/query/list/merged-rows.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { listedJob, rowOf } from "../../support/story/listed-job.ts";

type ListedJob = JobPage["rows"][number];

const row = { ...rowOf(listedJob()), attention: false };

/** A partition with these Jobs, which notes how many rows each read asks for. */
class Partition implements RowSource {
  readonly cluster;
  readonly limits: number[] = [];
  readonly #newest: readonly ListedJob[];

  constructor(cluster: string, jobs: readonly Drawn[]) {
    this.cluster = clusterNamed(cluster);
    this.#newest = jobs
      .map(({ createdAt, uid }) => ({ ...row, createdAt, jobUid: jobUid(uid) }))
      .sort((a, b) => b.createdAt - a.createdAt || compareText(a.jobUid, b.jobUid));
  }

  async read({ after, limit, order = "newest" }: ListOptions) {
    this.limits.push(limit);
    const sign = order === "newest" ? 1 : -1;
    const sorted = order === "newest" ? this.#newest : this.#newest.toReversed();
    const isAfter = (job: ListedJob): boolean =>
      after === undefined || sign * (after.createdAt - job.createdAt || compareText(job.jobUid, after.jobUid)) > 0;
    const rest = sorted.filter(isAfter);
    const rows = rest.slice(0, limit);
    const last = rows.at(-1);
    return { rows, ...(rest.length > limit && last && { next: { createdAt: last.createdAt, jobUid: last.jobUid } }) };
  }
}

interface Drawn {
  readonly createdAt: number;
  readonly uid: string;
}

/** Many of the same instant, and some of the same uid in both clusters. */
const drawnJobs = fc.uniqueArray(
  fc.record({ createdAt: fc.integer({ min: 1, max: 4 }), uid: fc.integer({ min: 1, max: 20 }).map((n) => `u${n}`) }),
  { selector: ({ uid }) => uid, maxLength: 20 },
);
const orders = fc.constantFrom("newest" as const, "oldest" as const);

async function merged(sources: readonly RowSource[], range: Partial<MergeRange> = {}) {
  const rows: MergedPosition[] = [];
  for await (const { createdAt, cluster, jobUid: uid } of mergeRows(sources, {
    order: "newest",
    pageSize: 3,
    ...range,
  })) {
    rows.push({ createdAt, cluster, jobUid: uid });
  }
  return rows;
}

describe("the merged rows of partitions", () => {
  it("are those of all partitions, by creation, then uid and cluster, or the exact reverse", async () => {
    await fc.assert(
      fc.asyncProperty(drawnJobs, drawnJobs, async (east, west) => {
        const sources = [new Partition("east", east), new Partition("west", west)];
        const newest = await merged(sources);
        const expected = [
          ...east.map((job) => ({ ...job, cluster: "east" })),
          ...west.map((job) => ({ ...job, cluster: "west" })),
        ].sort((a, b) => b.createdAt - a.createdAt || compareText(a.uid, b.uid) || compareText(a.cluster, b.cluster));
        expect(newest).toEqual(expected.map(({ createdAt, cluster, uid }) => ({ createdAt, cluster, jobUid: uid })));
        expect(await merged(sources, { order: "oldest" })).toEqual(newest.toReversed());
      }),
    );
  });

  it("continue after any row with the next one", async () => {
    await fc.assert(
      fc.asyncProperty(drawnJobs, drawnJobs, orders, fc.nat(40), async (east, west, order, index) => {
        const sources = [new Partition("east", east), new Partition("west", west)];
        const all = await merged(sources, { order });
        expect(await merged(sources, { order, after: all[index] })).toEqual(all[index] ? all.slice(index + 1) : all);
      }),
    );
  });

  it.each(["newest", "oldest"] as const)("leave out or include all Jobs of one instant: %s", async (order) => {
    const sources = [
      new Partition(
        "east",
        [1, 2, 3].map((createdAt) => ({ createdAt, uid: `u${createdAt}` })),
      ),
    ];
    const instants = async (after: MergedPosition) =>
      (await merged(sources, { order, after })).map(({ createdAt }) => createdAt);
    expect(await instants(afterInstant(2, order))).toEqual(order === "newest" ? [1] : [3]);
    expect(await instants(beforeInstant(2, order))).toEqual(order === "newest" ? [2, 1] : [2, 3]);
  });

  it("read little of each of many partitions at first, and more of one that fills the page", async () => {
    const full = new Partition(
      "east",
      Array.from({ length: 100 }, (_, n) => ({ createdAt: n, uid: `u${n}` })),
    );
    const empty = Array.from({ length: 29 }, () => new Partition("west", []));
    await merged([full, ...empty], { pageSize: 40 });
    expect(full.limits).toEqual([10, 20, 40, 40]);
    expect(empty.every(({ limits }) => limits.length === 1)).toBe(true);
  });
});
