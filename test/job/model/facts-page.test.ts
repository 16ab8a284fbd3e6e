import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arbitraryFactOfKind } from "../../support/facts/arbitrary-facts.ts";

const page = readFileSync(new URL("../../../docs/facts.md", import.meta.url), "utf8");

describe("docs/facts.md", () => {
  it("has a section for every kind of fact, and none for any other", () => {
    const sections = [...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title ?? "");
    expect(new Set(sections)).toEqual(new Set(Object.keys(arbitraryFactOfKind)));
  });
});
