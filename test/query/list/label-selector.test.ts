import { describe, expect, it } from "vitest";
import { matchesLabels, parseLabelSelector } from "../../../src/query/list/label-selector.ts";

const matches = (selector: string, labels: Record<string, string>): boolean => {
  const parsed = parseLabelSelector(selector);
  if (parsed.outcome === "rejected") throw new Error(`${selector}: ${parsed.problem} at ${parsed.at}`);
  return matchesLabels(parsed.selector, labels);
};

describe("a label selector", () => {
  it.each([
    ["", {}, true],
    ["a=b", { a: "b" }, true],
    ["a=b", { a: "c" }, false],
    ["a=b", {}, false],
    ["a==b", { a: "b" }, true],
    [" a = b ", { a: "b" }, true],
    ["a=", { a: "" }, true],
    ["a=", { a: "b" }, false],
    ["a!=b", { a: "c" }, true],
    ["a!=b", {}, true],
    ["a!=b", { a: "b" }, false],
    ["a in (b,c)", { a: "c" }, true],
    ["a in (b, c)", { a: "d" }, false],
    ["a in (b)", {}, false],
    ["a in ()", { a: "" }, true],
    ["a in (,b)", { a: "" }, true],
    ["a notin (b,c)", { a: "c" }, false],
    ["a notin (b,c)", { a: "d" }, true],
    ["a notin (b,c)", {}, true],
    ["a", { a: "" }, true],
    ["a", {}, false],
    ["!a", {}, true],
    ["! a", { a: "b" }, false],
    ["in in (in)", { in: "in" }, true],
    ["notin", { notin: "x" }, true],
    ["a>1", { a: "2" }, true],
    ["a>2", { a: "2" }, false],
    ["a<3", { a: "2" }, true],
    ["a<3", { a: "two" }, false],
    ["a=b,c notin (d),!e", { a: "b", c: "x" }, true],
    ["a=b,c=d", { a: "b" }, false],
    ["app.kubernetes.io/name=web", { "app.kubernetes.io/name": "web" }, true],
    ["toString", {}, false],
  ] as const)("%j over %j is %j", (selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });

  it.each([
    ["a=b,", 4],
    [",a", 0],
    ["a b", 2],
    ["a=b=c", 3],
    ["a in b", 5],
    ["a in (b", 7],
    ["a in (b c)", 8],
    ["a>b", 2],
    ["!", 1],
    ["!a=b", 2],
    ["-a", 0],
    ["A_B/c=d", 0],
    ["a/b/c=d", 2],
    ["x/=d", 2],
    ["a=b!c", 3],
    [`a=${"v".repeat(64)}`, 2],
  ])("%j is refused at character %i", (selector, at) => {
    expect(parseLabelSelector(selector)).toMatchObject({ outcome: "rejected", at });
  });
});
