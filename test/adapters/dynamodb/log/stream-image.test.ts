import { describe, expect, it } from "vitest";
import { fromPack } from "../../../../src/adapters/dynamodb/log/pack-item.ts";
import { decodeStreamImage } from "../../../../src/adapters/dynamodb/log/stream-image.ts";
import { packSegments } from "../../../../src/log/pack-segments.ts";
import { numberedSegment } from "../../../support/stores/sealed-segments.ts";

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
    expect(decodeStreamImage(image)).toEqual([
      {
        key: { pk: "east#20261121", sk: image.sk.S },
        bytes: Buffer.of(2, 0, 255),
        sha256: "deadbeef",
        factCount: 17,
      },
    ]);
  });

  it("of a pack decodes to its segments", () => {
    const [pack] = packSegments([1, 2].map(numberedSegment), { arrivedAt: Date.UTC(2026, 10, 21, 12), shards: 1 });
    const { pk, sk, pack: content } = pack === undefined ? {} : fromPack(pack, 400);
    const bytes = Buffer.from(content?.B ?? []).toString("base64");
    const read = decodeStreamImage({ pk: { S: pk?.S ?? "" }, sk: { S: sk?.S ?? "" }, pack: { B: bytes } });
    expect(read.map(({ key, sha256 }) => ({ key, sha256 }))).toEqual(
      pack?.items.map(({ key, sha256 }) => ({ key, sha256 })),
    );
  });

  it.each(["pk", "sk", "segment", "sha256", "facts"] as const)("is rejected without %s", (name) => {
    const { [name]: _, ...rest } = image;
    expect(decodeStreamImage(rest)).toEqual([]);
  });

  it("is rejected if it is missing", () => {
    expect(decodeStreamImage(undefined)).toEqual([]);
  });
});
