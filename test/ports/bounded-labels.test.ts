import { describe, expect, it } from "vitest";
import { boundedForms, boundedLabels, labelValue } from "../../src/ports/bounded-labels.ts";
import type { Labels } from "../../src/ports/metric-store.ts";

const owned = { cluster: "east", namespace: "shop", owner_kind: "Workflow", owner: "etl-8xk2f", state: "Failed" };
const plain = { cluster: "east", namespace: "shop", state: "Running" };

const with100 = (known: number, stored: readonly Labels[] = []) => ({
  maxSeries: 100,
  known,
  isStored: (labels: Labels) => stored.some((one) => JSON.stringify(one) === JSON.stringify(labels)),
});

describe("the labels of a new series", () => {
  it("are its own below nine tenths of the bound, and if it is stored", () => {
    expect(boundedLabels(owned, with100(89))).toEqual(owned);
    expect(boundedLabels(owned, with100(500, [owned]))).toEqual(owned);
    expect(boundedLabels(plain, with100(99))).toEqual(plain);
  });

  it("have no owner above that, so that owners cannot take the series of namespaces", () => {
    const other = { ...owned, owner_kind: "other", owner: "other" };
    expect(boundedLabels(owned, with100(90))).toEqual(other);
    expect(boundedLabels(owned, with100(100, [other]))).toEqual(other);
  });

  it("have no namespace beyond the bound", () => {
    const other = { ...owned, owner_kind: "other", owner: "other", namespace: "_other" };
    expect(boundedLabels(owned, with100(100))).toEqual(other);
    expect(boundedLabels(plain, with100(100))).toEqual({ ...plain, namespace: "_other" });
  });
});

describe("the forms of labels", () => {
  it("are all under which they may be counted", () => {
    const other = { ...owned, owner_kind: "other", owner: "other" };
    expect(boundedForms(owned)).toEqual([owned, other, { ...other, namespace: "_other" }]);
  });
});

describe("a label value", () => {
  it("is cut at 256 characters", () => {
    expect(labelValue("a".repeat(256))).toHaveLength(256);
    expect(labelValue("a".repeat(300))).toBe(`${"a".repeat(255)}…`);
  });

  it("has no control characters", () => {
    expect(labelValue("a\0b\nc")).toBe("a\u{fffd}b\u{fffd}c");
  });
});
