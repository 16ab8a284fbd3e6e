import { describe, expect, it } from "vitest";
import { count, list, sentence } from "../../../src/job/text/sentence.ts";

describe("a count", () => {
  it.each([
    [0, "Pod", "0 Pods"],
    [1, "Pod", "1 Pod"],
    [2, "Pod", "2 Pods"],
    [1, "success", "1 success"],
    [2, "success", "2 successes"],
    [3, "index", "3 indexes"],
  ])("of %i %s is %j", (number, thing, text) => {
    expect(count(number, thing)).toBe(text);
  });
});

describe("a list", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a and b"],
    [["a", "b", "c"], "a, b and c"],
  ])("of %j is %j", (words, text) => {
    expect(list(words)).toBe(text);
  });

  it("ends with the number of words beyond the maximum", () => {
    expect(list(["a", "b", "c"], 2)).toBe("a, b and 1 more");
  });

  it("includes words that only the total counts", () => {
    expect(list(["a", "b"], 5, 9)).toBe("a, b and 7 more");
  });
});

describe("a sentence", () => {
  it.each([
    ["no node fits", "No node fits."],
    ["Really?", "Really?"],
    ["done!", "Done!"],
    ["already ended.", "Already ended."],
  ])("of %j is %j", (text, ended) => {
    expect(sentence(text)).toBe(ended);
  });
});
