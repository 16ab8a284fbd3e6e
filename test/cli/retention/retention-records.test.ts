import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { printHolds, releaseHold, setHold } from "../../../cli/hold/hold-records.ts";
import { printRetention, setRetention } from "../../../cli/retention/retention-records.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";

let folder: string;
let database: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-retention-"));
  database = join(folder, "database.sqlite");
  openEmbedded(database).close();
  printed = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const json = { output: "json", headers: true, color: "never" } as const;
const table = { ...json, output: "table" } as const;

function items(): readonly unknown[] {
  const { items: found } = JSON.parse(printed.at(-1) ?? "{}") as { readonly items: readonly unknown[] };
  return found;
}

describe("the retention of a namespace", () => {
  it("is set, replaced, listed and removed", async () => {
    const place = { database, cluster: "east", namespace: "shop" };
    await setRetention(400, place);
    await setRetention(500, place);
    await printRetention({ ...json, database });
    expect(items()).toMatchObject([{ cluster: "east", namespace: "shop", days: 500 }]);
    await setRetention(undefined, place);
    await printRetention({ ...table, database });
    expect(printed.join("")).toContain("The Jobs of namespace shop of east are kept for 500 days after their end.");
    expect(printed.at(-1)).toContain("No cluster and no namespace has a retention of its own");
  });
});

const place = () => ({ database, cluster: "east", namespace: "shop" });

describe("a legal hold", () => {
  it("is set, listed with its reason, and released", async () => {
    await setHold("job/report", { ...place(), reason: "case-1" });
    await printHolds({ ...json, database });
    expect(items()).toMatchObject([{ cluster: "east", namespace: "shop", name: "report", reason: "case-1" }]);
    await releaseHold("report", place());
    await printHolds({ ...table, database });
    expect(printed.at(-1)).toContain("There are no legal holds.");
    await printHolds({ ...json, database, all: true });
    expect(items()).toHaveLength(1);
  });

  it("is released only where one is in force", async () => {
    await expect(releaseHold(undefined, place())).rejects.toThrow("are not under a legal hold");
  });

  it("on the Jobs of a name needs their namespace", async () => {
    await expect(setHold("report", { database, cluster: "east", reason: "x" })).rejects.toThrow("-n");
  });
});
