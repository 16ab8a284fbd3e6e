import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { BrokenGzipError, gunzipped } from "../../../src/kubernetes/recording/gunzip.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The text that was read before the end or an error. */
async function read(bytes: Uint8Array, size = 1): Promise<{ readonly text: string; readonly error?: unknown }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of gunzipped(chunksOf(bytes, size))) parts.push(Buffer.from(part));
  } catch (error) {
    return { text: Buffer.concat(parts).toString(), error };
  }
  return { text: Buffer.concat(parts).toString() };
}

describe("a recording", () => {
  it.each([1, 7, 100_000])("is decompressed from chunks of %d bytes", async (size) => {
    expect(await read(gzipSync("some text"), size)).toEqual({ text: "some text" });
  });

  it("may consist of several gzip members", async () => {
    expect(await read(Buffer.concat([gzipSync("one "), gzipSync("two")]))).toEqual({ text: "one two" });
  });

  it.each(["", "{", "plain text"])("without compression stays as it is: '%s'", async (text) => {
    expect(await read(Buffer.from(text))).toEqual({ text });
  });

  it("returns what comes before the truncation of its gzip data", async () => {
    const text = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`).join("");
    const result = await read(gzipSync(text).subarray(0, -100), 4096);
    expect(result.error).toBeInstanceOf(BrokenGzipError);
    expect(text.startsWith(result.text)).toBe(true);
    expect(result.text.length).toBeGreaterThan(100_000);
  });
});
