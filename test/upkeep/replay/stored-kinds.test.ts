import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { STORED_KINDS } from "../../../src/upkeep/replay/stored-kinds.ts";

describe("the kinds of stored records", () => {
  const operations = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

  it.each(Object.entries(STORED_KINDS))("are documented with their origin: %s", (kind, origin) => {
    const row = operations.split("\n").find((line) => line.startsWith(`| \`${origin}\` |`));
    expect(row).toContain(`\`${kind}\``);
  });
});
