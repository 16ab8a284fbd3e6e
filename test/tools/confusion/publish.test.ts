import { describe, expect, it } from "vitest";
import { publish } from "../../../tools/confusion/publish.ts";

const BEGIN = "<!-- matrix: node tools/confusion-matrix.ts --write -->";

describe("a published matrix", () => {
  it("replaces the one between the marks, and nothing else", () => {
    const once = publish(`before\n${BEGIN}\n\nold\n\n<!-- end -->\nafter\n`, "new");
    expect(once).toBe(`before\n${BEGIN}\n\nnew\n\n<!-- end -->\nafter\n`);
    expect(publish(once, "new")).toBe(once);
  });

  it("needs the marks", () => {
    expect(() => publish("no marks", "new")).toThrow("<!-- end -->");
  });
});
