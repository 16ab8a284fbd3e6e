import { describe, expect, it } from "vitest";
import { decodeUnitId, unitId, type WorkUnit } from "../../../../src/upkeep/replay/units/replay-unit.ts";
import { clusterNamed } from "../../../support/facts/names.ts";

const EIGHT = Date.UTC(2026, 10, 21, 8);

describe("the name of a unit", () => {
  it.each<[string, WorkUnit]>([
    ["days east 20261120 20261121", { kind: "days", cluster: clusterNamed("east"), from: "20261120", to: "20261121" }],
    ["packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z", { kind: "packs", from: EIGHT, to: EIGHT + 900_000 }],
  ])("%s says what it has", (name, unit) => {
    expect(unitId(unit)).toBe(name);
    expect(decodeUnitId(name)).toEqual(unit);
  });

  it.each([
    "",
    "days",
    "days east",
    "days east# 20261120 20261121",
    "days east 20261120 2026112",
    "packs 2026-11-21T08:00:00Z",
    "packs 2026-11-21T08:00:00Z soon",
    "packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z more",
    "hours 1 2",
  ])("is not %j", (name) => {
    expect(decodeUnitId(name)).toBeUndefined();
  });
});
