import { describe, expect, it } from "vitest";
import { FLEET_READERS, ofReaders } from "../../../bench/fleet/readers.ts";

describe("the readers of the fleet", () => {
  it("are those of its definition", () => {
    expect(FLEET_READERS.map(({ name, count }) => `${count} ${name}`)).toEqual([
      "200 landing pages",
      "50 API clients",
      "20 followers of changes",
      "1 Prometheus",
      "10 exporters of dashboards",
    ]);
  });

  it("send 28 million requests a month: pages in working hours, all others always", () => {
    const pages = 200 * 8 * 22 * 120.75;
    const others = 730 * (50 * 360 + 20 * 720 + 120 + 10 * 60);
    expect(ofReaders(() => 1)).toBe(pages + others);
    expect(pages + others).toBeCloseTo(28.4e6, -5);
  });
});
