import { describe, expect, it } from "vitest";
import { addressOf, arnsOf, flagOf, InvalidSettingsError, numberOf, textOf } from "../../lib/context-values.ts";

const given = (value: unknown) => (name: string) => (name === "setting" ? value : undefined);
const WORD = { pattern: /^[a-z]+$/, form: "a word" };
const DAYS = { least: 1, most: 30, default: 7 };
const HTTPS = { pattern: /^https:\/\/\S+$/, form: "an address that begins with https://" };

describe("a text", () => {
  it("is absent when it is unset or empty", () => {
    expect(textOf(given(undefined), "setting", WORD)).toBeUndefined();
    expect(textOf(given(""), "setting", WORD)).toBeUndefined();
  });

  it.each([["Two words"], [7], [true]])("rejects %j and says what it expects", (value) => {
    expect(() => textOf(given(value), "setting", WORD)).toThrow(InvalidSettingsError);
    expect(() => textOf(given(value), "setting", WORD)).toThrow(
      `Invalid setting ${JSON.stringify(value)}. Expected a word.`,
    );
  });
});

describe("a flag", () => {
  it.each([
    [undefined, false],
    [true, true],
    ["true", true],
    [false, false],
    ["false", false],
  ])("reads %j as %j", (value, expected) => expect(flagOf(given(value), "setting")).toBe(expected));

  it("rejects any other value", () => {
    expect(() => flagOf(given("yes"), "setting")).toThrow('Invalid setting "yes". Expected true or false.');
  });
});

describe("a number", () => {
  it.each([
    [undefined, 7],
    [1, 1],
    ["30", 30],
  ])("reads %j as %j", (value, expected) => expect(numberOf(given(value), "setting", DAYS)).toBe(expected));

  it.each([[0], [31], [1.5], ["long"], [""], [true]])("rejects %j", (value) => {
    expect(() => numberOf(given(value), "setting", DAYS)).toThrow("Expected a whole number from 1 to 30.");
  });
});

describe("a list of ARNs", () => {
  const role = "arn:aws:iam::123456789012:role/exporter";

  it("has users, roles and account roots", () => {
    const arns = [role, "arn:aws:iam::123456789012:user/a", "arn:aws:iam::123456789012:root"];
    expect(arnsOf(given(arns.join(",")), "setting")).toEqual(arns);
    expect(arnsOf(given(undefined), "setting")).toEqual([]);
  });

  it("rejects a wildcard and names it", () => {
    expect(() => arnsOf(given(`${role},*`), "setting")).toThrow('Invalid setting "*". Expected a list of ARNs');
  });
});

describe("an address", () => {
  it("on this machine is accepted for a disposable stage only", () => {
    const local = "http://127.0.0.1:8081/token";
    const disposable = (name: string) => (name === "disposable" ? true : local);
    expect(addressOf(disposable, "setting", HTTPS)).toBe(local);
    expect(() => addressOf(given(local), "setting", HTTPS)).toThrow(InvalidSettingsError);
  });
});
