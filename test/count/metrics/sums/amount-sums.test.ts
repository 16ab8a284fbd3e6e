import { describe, expect, it } from "vitest";
import { AmountSums, seriesId } from "../../../../src/count/metrics/sums/amount-sums.ts";
import type { Series } from "../../../../src/ports/metric-store.ts";

const ended: Series = { family: 2, kind: "counter", labels: { cluster: "east", namespace: "a" } };
const latest: Series = { family: 9, kind: "latest", labels: { cluster: "east", namespace: "a" } };

describe("sums of amounts", () => {
  it("leave out what was added and taken back", () => {
    const sums = new AmountSums();
    sums.add({ series: ended, part: 0, amount: 2 });
    sums.add({ series: ended, part: 0, amount: 2 }, -1);
    expect(sums.changed()).toEqual([]);
  });

  it("are the latest of instants, which are never taken back", () => {
    const sums = new AmountSums();
    for (const amount of [5, 9, 7]) sums.add({ series: latest, part: 0, amount });
    sums.add({ series: latest, part: 0, amount: 9 }, -1);
    expect(sums.changed()).toEqual([{ series: latest, parts: new Map([[0, 9]]) }]);
  });

  it("name a series by its family and labels", () => {
    expect(seriesId(ended)).not.toBe(seriesId({ ...ended, family: 3 }));
    expect(seriesId({ ...ended, labels: { cluster: "a", namespace: "" } })).not.toBe(
      seriesId({ ...ended, labels: { cluster: "", namespace: "a" } }),
    );
  });
});
