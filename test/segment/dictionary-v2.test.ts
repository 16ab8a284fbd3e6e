import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { DICTIONARY_V2 } from "../../src/segment/dictionary-v2.ts";

it("The dictionary of codec 3 never changes: bytes that were compressed with it can be read only with it.", () => {
  expect(createHash("sha256").update(DICTIONARY_V2).digest("hex")).toBe(
    "1470bfc950c8701294b4310976ddca3f81a6e8b769d215c9250522864a4c08b3",
  );
});
