import { describe, expect, it } from "vitest";
import { eitherUrl, PLACEHOLDER, secretOf, secretUrl, urlBelow } from "../../../src/notify/receivers/secret.ts";

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

  it.each(["smtp:mail.example.org", "smtp:///", "smtps:user@mail.example.org:465"])(
    "that is an address without a host is refused: %s",
    (value) => {
      expect(secretUrl({ URL: value }, ["urlEnv", "URL"], ["smtp", "smtps"])).toMatchObject({ at: "urlEnv" });
    },
  );

  it("may be a placeholder, which has a scheme that is expected", () => {
    expect(secretUrl({ URL: PLACEHOLDER }, ["urlEnv", "URL"])).toBe("https://receiver.invalid/");
    expect(secretUrl({ URL: PLACEHOLDER }, ["urlEnv", "URL"], ["smtp", "smtps"])).toBe("smtps://receiver.invalid/");
  });
});

describe("an address", () => {
  it("is in the rule file or in a variable, and not in both", () => {
    const problem = { at: "", problem: "Expected either url or urlEnv." };
    expect(eitherUrl({}, {})).toEqual(problem);
    expect(eitherUrl({ U: "https://a.example/" }, { url: "https://a.example/", urlEnv: "U" })).toEqual(problem);
    expect(eitherUrl({}, { url: "https://a.example/" })).toBe("https://a.example/");
    expect(eitherUrl({ U: "https://b.example/" }, { urlEnv: "U" })).toBe("https://b.example/");
  });

  it("with a lone percent sign in its user or password has a problem, because it cannot be decoded", () => {
    const problem = "Write % as %25 in the user or password of ";
    const text = "https://user:50%@a.example/";
    expect(eitherUrl({}, { url: text })).toEqual({ at: "url", problem: `${problem}url.` });
    expect(eitherUrl({ U: text }, { urlEnv: "U" })).toEqual({ at: "urlEnv", problem: `${problem}U.` });
    expect(secretUrl({ U: "https://user:50%25@a.example/50%" }, ["urlEnv", "U"])).toBe(
      "https://user:50%25@a.example/50%",
    );
  });

  it.each([
    ["https://a.example", "https://a.example/fail"],
    ["https://a.example/u1/?create=1", "https://a.example/u1/fail?create=1"],
    ["https://user:secret@a.example/u1", "https://user:secret@a.example/u1/fail"],
  ])("%s can be continued", (address, below) => {
    expect(urlBelow(address, "fail")).toBe(below);
  });
});
