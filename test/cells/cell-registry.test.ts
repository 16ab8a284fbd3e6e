import { describe, expect, it } from "vitest";
import {
  addCell,
  assignCluster,
  type CellRegistry,
  cellsOf,
  type Changed,
  changeRegistry,
  forgetPrevious,
  isCurrent,
  MAX_CELLS,
  readRegistry,
  removeCell,
} from "../../src/cells/cell-registry.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const EMPTY: CellRegistry = { cells: [], clusters: {} };
const US = { name: "us", url: "https://us.example.org/live" };
const CLUSTER = clusterNamed("prod-eu");

/** The registry after these changes, each of which is accepted. */
function after(...changes: readonly ((registry: CellRegistry) => Changed)[]): CellRegistry {
  return changes.reduce<CellRegistry>((registry, change) => {
    const changed = change(registry);
    if (changed.outcome === "refused") throw new Error(changed.problem);
    return changed.registry;
  }, EMPTY);
}

const TWO = after(
  (registry) => addCell(registry, US),
  (registry) => addCell(registry, { name: "eu" }),
);
const assigned = (cell: string, at: number) => (registry: CellRegistry) =>
  assignCluster(registry, { cluster: CLUSTER, cell }, at);

const from = (...changes: readonly ((registry: CellRegistry) => Changed)[]) =>
  after(() => ({ outcome: "changed", registry: TWO }), ...changes);
const names = (registry: CellRegistry) => cellsOf(registry, CLUSTER).map(({ name }) => name);

describe("a registry of cells", () => {
  it("has its cells by name, each once", () => {
    expect(TWO.cells).toEqual([{ name: "eu" }, US]);
    const moved = { ...US, url: "https://new.example.org/" };
    expect(addCell(TWO, moved)).toMatchObject({ registry: { cells: [{ name: "eu" }, moved] } });
  });

  it.each([
    [{ name: "" }, "is not the name of a cell"],
    [{ name: "Eu" }, "is not the name of a cell"],
    [{ name: "a.b" }, "is not the name of a cell"],
    [{ name: "x".repeat(17) }, "is not the name of a cell"],
    [{ name: "ap", url: "http://ap.example.org" }, "is not the address"],
    [{ name: "ap", url: "https://me:secret@ap.example.org" }, "is not the address"],
    [{ name: "ap", url: "https://ap.example.org/?a=1" }, "is not the address"],
    [{ name: "ap", url: "ftp://127.0.0.1/" }, "is not the address"],
    [{ name: "ap", url: "us" }, "is not the address"],
    [{ name: "ap" }, 'This stage is already cell "eu"'],
  ])("refuses the cell %j", (cell, reason) => {
    expect(addCell(TWO, cell)).toMatchObject({
      outcome: "refused",
      problem: expect.stringContaining(reason) as unknown,
    });
  });

  it("accepts http on this machine, where tests run", () => {
    expect(addCell(TWO, { name: "ap", url: "http://127.0.0.1:4566/live" }).outcome).toBe("changed");
  });

  it("has at most eight cells", () => {
    const cells = Array.from({ length: MAX_CELLS }, (_, n) => ({ name: `c${n}`, url: "https://c.example.org" }));
    expect(addCell({ ...EMPTY, cells }, { name: "one-more" })).toMatchObject({ outcome: "refused" });
    expect(addCell({ ...EMPTY, cells }, { name: "c0", url: "https://d.example.org" }).outcome).toBe("changed");
  });

  it("removes a cell that has no cluster", () => {
    expect(removeCell(TWO, "us")).toMatchObject({ registry: { cells: [{ name: "eu" }] } });
    expect(removeCell(TWO, "ap")).toMatchObject({ problem: expect.stringContaining("Cells: eu, us") as unknown });
    const used = after(() => ({ outcome: "changed", registry: TWO }), assigned("us", 1), assigned("eu", 2));
    expect(removeCell(used, "us")).toMatchObject({ problem: expect.stringContaining("prod-eu") as unknown });
  });
});

describe("a cluster", () => {
  it("that is not assigned may be in any cell", () => {
    expect(names(TWO)).toEqual(["eu", "us"]);
    expect(isCurrent(TWO, CLUSTER, US)).toBe(true);
    expect(cellsOf(TWO, "constructor")).toEqual(TWO.cells);
  });

  it("is in the cell that it is assigned to", () => {
    expect(names(from(assigned("us", 1)))).toEqual(["us"]);
    expect(assigned("ap", 1)(TWO)).toMatchObject({
      problem: expect.stringContaining('No cell is named "ap"') as unknown,
    });
  });

  it("that moved is in the new cell first, and in each earlier one once", () => {
    const there = from(assigned("us", 1), assigned("eu", 2));
    expect(there.clusters[CLUSTER]).toEqual({ cell: "eu", previous: [{ cell: "us", until: 2 }] });
    expect(names(there)).toEqual(["eu", "us"]);
    expect(isCurrent(there, CLUSTER, US)).toBe(false);
    const back = from(assigned("us", 1), assigned("eu", 2), assigned("us", 3));
    expect(back.clusters[CLUSTER]).toEqual({ cell: "us", previous: [{ cell: "eu", until: 3 }] });
    expect(from(assigned("us", 1), assigned("us", 2)).clusters[CLUSTER]).toEqual({ cell: "us" });
  });

  it("cannot be assigned if the record of the registry would not keep its name", () => {
    const wanted = { cluster: clusterNamed("constructor"), cell: "us" };
    expect(assignCluster(TWO, wanted, 1)).toMatchObject({ problem: expect.stringContaining("reserved") as unknown });
    expect(forgetPrevious(TWO, wanted.cluster).outcome).toBe("refused");
  });

  it("loses its earlier cells when their Jobs have expired", () => {
    const there = from(assigned("us", 1), assigned("eu", 2));
    expect(forgetPrevious(there, CLUSTER)).toMatchObject({ registry: { clusters: { [CLUSTER]: { cell: "eu" } } } });
    expect(forgetPrevious(TWO, CLUSTER).outcome).toBe("refused");
  });
});

describe("a stored registry", () => {
  it("is read as it was written", async () => {
    const meta = new MemoryMetaStore();
    expect(await readRegistry(meta)).toEqual(EMPTY);
    await changeRegistry(meta, (registry) => addCell(registry, US));
    expect(await readRegistry(meta)).toEqual({ cells: [US], clusters: {} });
  });

  it("is not changed by a change that is refused, or that another change overtakes", async () => {
    const meta = new MemoryMetaStore();
    expect((await changeRegistry(meta, (registry) => removeCell(registry, "us"))).outcome).toBe("refused");
    const overtaken = await Promise.all([
      changeRegistry(meta, (registry) => addCell(registry, US)),
      changeRegistry(meta, (registry) => addCell(registry, { name: "eu" })),
    ]);
    expect(overtaken.map(({ outcome }) => outcome).sort()).toEqual(["changed", "refused"]);
    expect((await readRegistry(meta)).cells).toHaveLength(1);
  });
});
