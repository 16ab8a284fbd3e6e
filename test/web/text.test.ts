import { describe, expect, it } from "vitest";
import { millisOf, utcText } from "../../web/text/instant-text.ts";
import { number, plural } from "../../web/text/plural.ts";
import { shownText } from "../../web/text/shown-text.ts";
import { spanText } from "../../web/text/span-text.ts";

describe("text from a cluster, as it is shown", () => {
  it.each([
    ["plain", "render-0018", "render-0018"],
    ["with markup", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["in Arabic", "تقرير", "تقرير"],
    ["that changes the direction", "a\u202eb", "a⟨U+202E⟩b"],
    ["that isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"],
    ["with an escape", "\u001b[31mred", "␛[31mred"],
    ["with a C1 control", "\u009b31m", "⟨U+009B⟩31m"],
    ["of two lines", "a\nb", "a␊b"],
    ["of invisible characters", "a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"],
  ])("%s is shown completely", (_, text, shown) => {
    expect(shownText(text)).toBe(shown);
  });
});

describe("a span of time", () => {
  it.each([
    [-5_000, "0s"],
    [0, "0s"],
    [640, "640ms"],
    [48_000, "48s"],
    [185_000, "3m5s"],
    [172_800_000, "2d"],
  ])("of %i ms reads %s", (millis, text) => {
    expect(spanText(millis)).toBe(text);
  });
});

describe("an instant", () => {
  it("is shown in UTC as tooltip", () => {
    expect(utcText(Date.parse("2026-11-21T08:24:44Z"))).toBe("2026-11-21 08:24:44 UTC");
  });

  it("is none where the text is none", () => {
    expect(millisOf("yesterday")).toBeUndefined();
  });
});

describe("a number of things", () => {
  it.each([
    [0, "0 Jobs"],
    [1, "1 Job"],
    [10_000, "10,000 Jobs"],
  ])("%i reads %s", (value, text) => {
    expect(plural(value, "Job")).toBe(text);
  });

  it("has its digits grouped", () => {
    expect(number(1_234_567)).toBe("1,234,567");
  });
});
