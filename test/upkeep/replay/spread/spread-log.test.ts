import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { isRunFact } from "../../../../src/job/model/fact.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { decodeGroup } from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { groupName, spreadLog } from "../../../../src/upkeep/replay/spread/spread-log.ts";
import { listUnits } from "../../../../src/upkeep/replay/units/list-units.ts";
import { type LogUnit, unitId } from "../../../../src/upkeep/replay/units/replay-unit.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { collect } from "../../../support/running/collect.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT, send, twoProjections, type TwoProjections } from "../../../support/stores/two-projections.ts";

/** Facts of runs are spread in a group of their own. */
const notOfRuns = arbitraryFact.filter((fact) => !isRunFact(fact));
const ITEMS = sealInSegments(fc.sample(notOfRuns, { numRuns: 12, seed: 3 }), 2, Date.UTC(2026, 10, 21, 12));

describe("a unit of the log that is spread", () => {
  let all: TwoProjections;
  let objects: MemoryObjects;
  let unit: LogUnit;

  beforeEach(async () => {
    all = twoProjections();
    objects = new MemoryObjects();
    await send(all, ITEMS);
    [unit = expect.fail()] = await listUnits(all.meta);
  });

  function ports(hasTime?: () => boolean) {
    return {
      ...all,
      place: { objects, run: 1 },
      hasTime,
      project: async (...[states, items]: Parameters<Parameters<typeof spreadLog>[0]["project"]>) =>
        (await projectSegments({ ...states, meta: all.meta }, items, PATIENT)).refold,
    };
  }

  it("is one batch, which counts its items and facts, and names its objects by its record's version", async () => {
    const batches = await collect(spreadLog(ports(), unit));
    expect(batches).toMatchObject([{ segments: ITEMS.length, facts: 12, isCollected: true }]);
    const applied = await batches[0]?.apply(4);
    expect(applied?.failed).toEqual([]);
    const group = decodeGroup(applied?.spread?.[0] ?? "");
    expect(group).toEqual({ kind: "log", bits: 0, name: groupName(unitId(unit), 4) });
    expect(objects.keys).toEqual([`1/log/0/0/${group.name}`]);
    expect(await collect(spreadLog(ports(), unit, batches[0]?.place))).toEqual([]);
  });

  it("ends a batch when the time is up", async () => {
    const [batch] = await collect(
      spreadLog(
        ports(() => false),
        unit,
      ),
    );
    expect(batch?.segments).toBe(ITEMS.length);
  });

  it("has the items that failed", async () => {
    const failed = ITEMS.map(({ key }) => ({ key, cause: "x" }));
    const [batch] = await collect(spreadLog({ ...ports(), project: async () => failed }, unit));
    expect(await batch?.apply(1)).toEqual({ failed, spread: [] });
    expect(objects.keys).toEqual([]);
  });
});
