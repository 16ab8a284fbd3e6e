import { describe, expect, it } from "vitest";
import { compareOrder, decodeResourceVersion, type Order } from "../../../src/job/model/order.ts";

describe("a resourceVersion", () => {
  it.each([
    ["1", 1],
    ["14386", 14386],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("%s is decoded as that number", (text, number) => {
    expect(decodeResourceVersion(text)).toBe(number);
  });

  it.each(["", "0", "01", "-1", "1.5", "1e3", " 1", "9007199254740992", "99999999999999999999", "abc"])(
    "%j cannot be ordered and is refused",
    (text) => {
      expect(decodeResourceVersion(text)).toBeUndefined();
    },
  );

  it("is a text: the number 7 is not valid", () => {
    expect(decodeResourceVersion(7)).toBeUndefined();
  });
});

function order(epoch: number, version: string): Order {
  const resourceVersion = decodeResourceVersion(version);
  if (resourceVersion === undefined) throw new Error(`not a resourceVersion: ${version}`);
  return { epoch, resourceVersion };
}

describe("the order of two facts", () => {
  it("is that of their resourceVersions within an epoch", () => {
    expect(compareOrder(order(0, "9"), order(0, "10"))).toBeLessThan(0);
    expect(compareOrder(order(3, "10"), order(3, "10"))).toBe(0);
  });

  it("is that of their epochs first: after etcd was restored every fact is later", () => {
    expect(compareOrder(order(1, "2"), order(0, "1000"))).toBeGreaterThan(0);
  });
});
