import { describe, expect, it } from "vitest";
import { PLACEHOLDER, secretOf, secretUrl } from "../../../src/notify/receivers/secret.ts";

describe("a secret", () => {
  it.each([undefined, ""])("that is %j is missing", (value) => {
    expect(secretOf({ KEY: value }, ["keyEnv", "KEY"])).toEqual({
      at: "keyEnv",
      problem: "The variable KEY is not set.",
    });
  });

  it.each(["https://a.example/x", "http://a.example/x"])("may be the address %s", (value) => {
    expect(secretUrl({ URL: value }, ["urlEnv", "URL"])).toBe(value);
  });

  it("that is no address of the expected schemes has a problem that does not contain it", () => {
    const problem = "The value of URL is not an http or https URL.";
    expect(secretUrl({ URL: "smtp://hunter2/" }, ["urlEnv", "URL"])).toEqual({ at: "urlEnv", problem });
  });

  it("may be a placeholder, which has a scheme that is expected", () => {
    expect(secretUrl({ URL: PLACEHOLDER }, ["urlEnv", "URL"])).toBe("https://receiver.invalid/");
    expect(secretUrl({ URL: PLACEHOLDER }, ["urlEnv", "URL"], ["smtp", "smtps"])).toBe("smtps://receiver.invalid/");
  });
});
