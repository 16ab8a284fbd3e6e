import { afterAll, describe, expect, it } from "vitest";
import { readSeries, SeriesIds } from "../../src/sqlite/metric-series.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const scratch = new ScratchDatabases();
afterAll(() => scratch.clear());

const histogram = { family: 3, kind: "counter", labels: { cluster: "east", namespace: "shop", owner: "a" } } as const;

describe("the id of a label set", () => {
  it("is the same in every process, without reading what others have stored", async () => {
    const [first, second] = [scratch.open(scratch.newPath()), scratch.open(scratch.newPath())];
    const amount = { series: histogram, part: 2, amount: 9 };
    const ids = await Promise.all(
      [first, second].map((database) => database.read((connection) => new SeriesIds(10).stored(connection, amount))),
    );
    expect(ids[0]).toEqual(ids[1]);
  });
});

describe("stored series", () => {
  it("are read with all their parts, in order of family", async () => {
    const database = scratch.open(scratch.newPath());
    const series = new SeriesIds(10);
    await database.write((connection) => {
      const gauge = { ...histogram, family: 1, kind: "gauge" } as const;
      for (const [part, of] of [
        [0, histogram],
        [5, histogram],
        [0, gauge],
      ] as const) {
        const [key] = series.stored(connection, { series: of, part, amount: 1 });
        series.change(connection, key, { before: 0, after: 4 });
        series.change(connection, key, { before: 4, after: 6 });
      }
    });
    const read = await database.read(readSeries);
    expect(read.map(({ family, kind, labels }) => ({ family, kind, labels }))).toEqual([
      { family: 1, kind: "gauge", labels: histogram.labels },
      { family: 3, kind: "counter", labels: histogram.labels },
    ]);
    // A counter shows nothing until it is raised.
    expect(read.map(({ parts }) => [...parts])).toEqual([
      [[0, 6]],
      [
        [0, 0],
        [5, 0],
      ],
    ]);
  });
});
