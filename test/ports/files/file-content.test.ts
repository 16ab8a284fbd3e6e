import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { checkContent, parseJson, unparsed } from "../../../src/ports/files/file-content.ts";

const SCHEMA = v.strictObject({ size: v.number("Expected a number.") });

describe("a parsed file of settings", () => {
  it("is read by its schema", () => {
    expect(checkContent({ size: 1 }, SCHEMA)).toEqual({ outcome: "read", content: { size: 1 } });
  });

  it("is rejected with each problem and its path", () => {
    expect(checkContent({ size: "a", colour: "red" }, SCHEMA)).toEqual({
      outcome: "rejected",
      problems: [
        { path: "size", message: "Expected a number." },
        { path: "colour", message: "Unknown key." },
      ],
    });
  });
});

describe("a file that a deployment has written", () => {
  it("is JSON", () => {
    expect(parseJson('{"size":1}')).toEqual({ value: { size: 1 } });
  });

  it("has a problem without a path if it is anything else", () => {
    const parsed = parseJson("size: 1");
    const message = "problem" in parsed ? parsed.problem : "";
    expect(message).toMatch(/^Invalid JSON: /);
    expect(unparsed(message)).toEqual({ outcome: "rejected", problems: [{ path: "", message }] });
  });
});
