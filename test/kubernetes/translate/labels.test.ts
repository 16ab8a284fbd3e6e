import { describe, expect, it } from "vitest";
import { keptLabels } from "../../../src/kubernetes/translate/labels.ts";

describe("the labels of an object", () => {
  it("are sorted by key, without values that are no strings", () => {
    const { labels } = keptLabels({ b: "2", a: "1", c: 3, d: null });
    expect(Object.entries(labels)).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  it("are kept whole up to 4096 bytes of UTF-8, and marked as truncated beyond", () => {
    expect(keptLabels({ a: "x".repeat(4095) })).toEqual({ labels: { a: "x".repeat(4095) } });
    expect(keptLabels({ a: "x".repeat(4000), b: "é".repeat(48) })).toEqual({
      labels: { a: "x".repeat(4000) },
      truncated: true,
    });
  });

  it("do not change a prototype", () => {
    const { labels } = keptLabels(JSON.parse('{"__proto__": "x", "a": "1"}'));
    expect(Object.keys(labels)).toEqual(["a"]);
  });

  it.each([[undefined], [null], ["text"], [["a"]]])("are empty for %j", (value) => {
    expect(keptLabels(value)).toEqual({ labels: {} });
  });
});
