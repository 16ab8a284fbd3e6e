import { describe, expect, it } from "vitest";
import { parseRoute } from "../../../web/shell/route.ts";
import { linkOf, namedLink, viewName } from "../../../web/saved-views/view-name.ts";

const route = parseRoute("#/jobs?state=Failed&view=Before");

describe("the name of a shared view", () => {
  it.each([
    ["Night shift", "Night shift"],
    ["  Night  ", "Night"],
    ["<b>", "<b>"],
    ["", undefined],
    ["  ", undefined],
    ["x".repeat(1_000), "x".repeat(60)],
    ["😀".repeat(61), "😀".repeat(60)],
  ])("%j is %j", (given, name) => {
    expect(viewName(parseRoute(namedLink(route, given)))).toBe(name);
  });

  it("is not part of the link that is saved", () => {
    expect(linkOf(route)).toBe("#/jobs?state=Failed");
    expect(namedLink(route, "")).toBe("#/jobs?state=Failed");
  });
});
