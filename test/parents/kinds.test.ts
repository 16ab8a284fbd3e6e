import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSeries, keysOf, KINDS, LINEAGE_KEYS } from "../../src/parents/kinds.ts";

const docs = readFileSync(new URL("../../docs/answers/lineage.md", import.meta.url), "utf8");

describe("the table of kinds", () => {
  it("has each kind once", () => {
    expect(new Set(KINDS.map(({ kind }) => kind)).size).toBe(KINDS.length);
  });

  it.each(KINDS.map((kind) => [kind.kind, kind] as const))("has keys and a resource that can exist: %s", (_, kind) => {
    expect(kind.resource ?? "plural.group").toMatch(/^[a-z]+(\.[a-z0-9-]+)+$/);
    for (const key of keysOf(kind)) expect(key).toMatch(/^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9_.-]{1,63}$/);
    // An object of the cluster has a name.
    expect(kind.resource === undefined).toBe(kind.name === undefined);
  });

  it("gives each external id once, with the name of its system", () => {
    const ids = KINDS.flatMap(({ ids = {} }) => Object.keys(ids));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+\/[a-z_-]+$/);
  });

  it("has no key that names a person", () => {
    expect(LINEAGE_KEYS).not.toContain("dagster/user");
  });

  it.each([
    ["CronJob", true],
    ["CronWorkflow", true],
    ["RayCronJob", true],
    ["JobSet", false],
    ["UnknownKind", false],
  ])("says that a %s is a series: %s", (kind, is) => {
    expect(isSeries(kind)).toBe(is);
  });

  it("is documented with every key", () => {
    for (const { kind } of KINDS) expect(docs).toContain(`| ${kind} |`);
    for (const key of LINEAGE_KEYS) expect(docs).toContain(`\`${key}\``);
  });
});
