import { describe, expect, it } from "vitest";
import {
  busiestKeys,
  clusterRates,
  fleetRate,
  interpolated,
  perJobOfFleet,
} from "../../../bench/fleet/reference-fleet.ts";

describe("the reference fleet", () => {
  it("creates 5 million Jobs a day in 200 clusters", () => {
    expect(clusterRates()).toHaveLength(200);
    expect(clusterRates()[0]).toBe(10);
    expect(fleetRate() * 86_400).toBeCloseTo(5.08e6, -4);
  });
});

describe("a figure per Job of the whole fleet", () => {
  it("is the measured one if it is the same in all clusters", () => {
    const same = [0.05, 1, 10].map((rate) => ({ rate, perJob: 4 }));
    expect(perJobOfFleet(same)).toBeCloseTo(4, 10);
  });

  it("weights each cluster by its Jobs", () => {
    // Clusters below one Job per second, ranks 10 to 200, create 52 % of the Jobs.
    const measured = [
      { rate: 0.999, perJob: 1 },
      { rate: 1, perJob: 0 },
    ];
    const ofSmall = clusterRates().filter((rate) => rate < 0.999);
    const share = ofSmall.reduce((sum, rate) => sum + rate, 0) / fleetRate();
    expect(perJobOfFleet(measured)).toBeCloseTo(share, 6);
  });

  it("lies between the measured rates around it, on a logarithmic scale", () => {
    const points = [
      { rate: 0.1, perJob: 6 },
      { rate: 10, perJob: 2 },
    ];
    expect(interpolated(points, 1)).toBeCloseTo(4, 10);
    expect(interpolated(points, 10)).toBe(2);
  });

  it("takes the nearest measured rate beyond them", () => {
    const points = [
      { rate: 0.1, perJob: 6 },
      { rate: 1, perJob: 2 },
    ];
    expect(interpolated(points, 0.01)).toBe(6);
    expect(interpolated(points, 10)).toBe(2);
  });
});

describe("the busiest partition keys at the peak", () => {
  const run = { seconds: 60, rate: 10, largest: { cluster: "fleet-200", rate: 10 } };

  it("scale a key of a cluster to the largest cluster: 100 Jobs per second", () => {
    const loads = [{ table: "log", key: "fleet-200#20261121", units: 120 }];
    expect(busiestKeys({ ...run, loads })).toEqual([{ table: "log", key: "fleet-200#20261121", units: 20 }]);
  });

  it("scale a key that all clusters share to the whole fleet: 588 Jobs per second", () => {
    const [busiest] = busiestKeys({ ...run, loads: [{ table: "meta", key: "hints", units: 600 }] });
    expect(busiest?.units).toBeCloseTo(fleetRate() * 10, 6);
  });

  it("are one per table and index", () => {
    const loads = [
      { table: "meta", key: "cronjob#fleet-200", units: 60 },
      { table: "meta", key: "gap#fleet-200", units: 1 },
      { table: "index name", key: "fleet-200#team-1#report", units: 1 },
    ];
    expect(busiestKeys({ ...run, loads }).map(({ key }) => key)).toEqual([
      "cronjob#fleet-200",
      "fleet-200#team-1#report",
    ]);
  });

  it("ignore the smaller clusters of the run", () => {
    expect(busiestKeys({ ...run, loads: [{ table: "log", key: "fleet-1#20261121", units: 9 }] })).toEqual([]);
  });
});
