import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { NEWEST_DATABASE_SCHEMA } from "../../src/adapters/sqlite/database.ts";
import { compressSummaries } from "../../src/projection/job-state/summary-codec.ts";
import { NEWEST_SCHEMA } from "../../src/segment/fact-list.ts";
import { unwrap } from "../../src/segment/envelope.ts";
import { FORMAT_STEPS } from "./format-steps.ts";

const newest = FORMAT_STEPS.at(-1);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** A format that changed needs a step, and fixtures: `npm run fixtures:formats -- NAME`. */
describe("the newest step", () => {
  it("has the formats that this release writes", () => {
    expect(newest).toMatchObject({
      database: NEWEST_DATABASE_SCHEMA,
      segments: [NEWEST_SCHEMA],
      summaries: compressSummaries("{}", "one")[0],
      archive: true,
      stage: true,
    });
  });

  it("is of this release, or of the next one", () => {
    expect(FORMAT_STEPS.map(({ name }) => name)).toContain(manifest.version);
    expect([manifest.version, "next"]).toContain(newest?.name);
  });
});

describe("the steps", () => {
  it("have every schema of the database, in order", () => {
    expect([...new Set(FORMAT_STEPS.map(({ database }) => database))]).toEqual(upTo(NEWEST_DATABASE_SCHEMA));
  });

  it("have every schema of segments", () => {
    const schemas = new Set(FORMAT_STEPS.flatMap(({ segments }) => segments));
    expect([...schemas].toSorted((a, b) => a - b)).toEqual(upTo(NEWEST_SCHEMA));
  });

  it("have codec 3, the newest of states: a newer one needs a step", () => {
    expect(unwrap(Buffer.alloc(16, 4))).toMatchObject({ problem: "newer" });
    expect(newest?.summaries).toBe(2);
  });

  it("have the fixtures that they name, and no others", () => {
    const named = FORMAT_STEPS.map(({ name, archive, stage }) => [
      name,
      ["answers.json.gz", ...(archive ? ["archive.json.gz"] : []), "database.gz", ...(stage ? ["stage.json.gz"] : [])],
    ]);
    const folder = join(import.meta.dirname, "fixtures");
    const found = readdirSync(folder).map((name) => [name, readdirSync(join(folder, name)).toSorted()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named));
  });
});
