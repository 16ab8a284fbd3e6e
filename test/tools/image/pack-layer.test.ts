import { gunzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { unpackTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { type LayerEntry, packLayer } from "../../../tools/image/pack-layer.ts";

const SETTINGS = { modifiedAt: new Date(0), gzipLevel: 9 };
const program: LayerEntry = { type: "file", path: "usr/bin/run", bytes: Buffer.from("#!"), executable: true };
const text: LayerEntry = { type: "file", path: "etc/text", bytes: Buffer.from("text") };
const link: LayerEntry = { type: "link", path: "lib", target: "usr/lib" };
const data: LayerEntry = { type: "folder", path: "data", mode: 0o700, owner: 7 };

async function unpacked(entries: readonly LayerEntry[]) {
  const { blob } = await packLayer(entries, SETTINGS);
  return (await unpackTar(gunzipSync(blob.bytes), { strict: true })).map(({ header }) => header);
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

describe("a layer", () => {
  it("has the same bytes for the same entries in another order", async () => {
    const [one, other] = [
      await packLayer([program, text, link], SETTINGS),
      await packLayer([link, program, text], SETTINGS),
    ];
    expect(other).toEqual(one);
  });

  it("has the folders above each entry, before it", async () => {
    expect((await unpacked([program, text])).map(({ name }) => name)).toEqual([
      "etc/",
      "etc/text",
      "usr/",
      "usr/bin/",
      "usr/bin/run",
    ]);
  });

  it("belongs to root, except owned folders, and nobody else can write", async () => {
    const headers = await unpacked([program, text, link, data, { ...text, path: "data/file" }]);
    expect(headers.map(({ name, mode, uid, linkname }) => [name, mode, uid, linkname])).toEqual([
      ["data/", 0o700, 7, ""],
      ["data/file", 0o644, 0, ""],
      ["etc/", 0o755, 0, ""],
      ["etc/text", 0o644, 0, ""],
      ["lib", 0o777, 0, "usr/lib"],
      ["usr/", 0o755, 0, ""],
      ["usr/bin/", 0o755, 0, ""],
      ["usr/bin/run", 0o755, 0, ""],
    ]);
  });

  it("names its content by the digest before compression, and its blob by the one after it", async () => {
    const { blob, diffId } = await packLayer([text], SETTINGS);
    expect([diffId, blob.digest]).toEqual([sha256(gunzipSync(blob.bytes)), sha256(blob.bytes)]);
  });
});
