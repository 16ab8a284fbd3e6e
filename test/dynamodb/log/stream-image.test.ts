import { describe, expect, it } from "vitest";
import { decodeStreamImage } from "../../../src/dynamodb/log/stream-image.ts";

/** As Lambda hands over the new image of a record: bytes are base64 text. */
const image = {
  pk: { S: "east#20261121" },
  sk: { S: "2026-11-21T12:00:00.000Z#0123456789abcdef#0000000001" },
  segment: { B: "AgD/" },
  sha256: { B: "3q2+7w==" },
  facts: { N: "17" },
  ttl: { N: "1832414400" },
};

describe("the new image of a stream record", () => {
  it("decodes to the log item", () => {
    expect(decodeStreamImage(image)).toEqual({
      key: { pk: "east#20261121", sk: image.sk.S },
      bytes: Buffer.of(2, 0, 255),
      sha256: "deadbeef",
      factCount: 17,
    });
  });

  it.each(["pk", "sk", "segment", "sha256", "facts"] as const)("is rejected without %s", (name) => {
    const { [name]: _, ...rest } = image;
    expect(decodeStreamImage(rest)).toBeUndefined();
  });

  it("is rejected if it is missing", () => {
    expect(decodeStreamImage(undefined)).toBeUndefined();
  });
});
