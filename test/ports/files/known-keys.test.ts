import * as v from "valibot";
import { expect, it } from "vitest";
import { checkContent } from "../../../src/ports/files/file-content.ts";
import { knownKeys } from "../../../src/ports/files/known-keys.ts";

const schema = knownKeys({ name: v.string(), size: v.exactOptional(v.number()) }, "Expected a thing.");

it.each([
  [{ name: "a", sise: 1 }, "sise", "Unknown key. Did you mean size? Valid keys: name, size."],
  [{ name: "a", colour: 1 }, "colour", "Unknown key. Valid keys: name, size."],
  [{}, "name", "Missing."],
  ["a", "", "Expected a thing."],
])("%j is no such object", (value, path, message) => {
  expect(checkContent(value, schema)).toEqual({ outcome: "rejected", problems: [{ path, message }] });
});
