import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument } from "../../../src/archive/layout/json-document.ts";

const schema = v.looseObject({ version: v.literal(1), names: v.array(v.string()) });

describe("a JSON document of the archive", () => {
  it("has the same bytes whatever the order of its fields", () => {
    expect(encodeDocument({ version: 1, names: ["a"] })).toEqual(encodeDocument({ names: ["a"], version: 1 }));
  });

  it("is read back, with fields that a later release added", () => {
    const document = { version: 1, names: ["ä"], later: { more: true } };
    expect(decodeDocument(schema, encodeDocument(document))).toEqual({ outcome: "decoded", document });
  });

  it.each([
    ["the first wrong field", Buffer.from('{"version":1,"names":["a",2]}'), "names.1: "],
    ["what is no JSON", Buffer.from('{"version":1'), "The document: "],
    ["an empty object", Buffer.of(), "The document: "],
  ])("is rejected for %s", (_, bytes, reason) => {
    expect(decodeDocument(schema, bytes)).toEqual({
      outcome: "rejected",
      reason: expect.stringMatching(new RegExp(`^${reason}.`)) as string,
    });
  });
});
