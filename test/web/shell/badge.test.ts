import { describe, expect, it } from "vitest";
import { tabTitle } from "../../../web/shell/badge.ts";

describe("the title of the tab", () => {
  it.each([
    [0, "Attention · Outlive"],
    [3, "(3) Attention · Outlive"],
  ])("with %i new entries is %j", (count, title) => {
    expect(tabTitle("Attention", count)).toBe(title);
  });
});
