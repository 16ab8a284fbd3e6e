import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compressSummaries, decompressSummaries } from "../../../src/projection/job-state/summary-codec.ts";
import { SUMMARY_DICTIONARY_V1 } from "../../../src/projection/job-state/summary-dictionary-v1.ts";
import { SUMMARY_DICTIONARY_V2 } from "../../../src/projection/job-state/summary-dictionary-v2.ts";

const TEXT = JSON.stringify({ labels: { team: "Übergröße", "app.kubernetes.io/part-of": "shop" } });
const MOST = 1_000;

describe("the text of summaries", () => {
  it.each(["one", "many"] as const)("is the same after decompression: %s", (size) => {
    expect(decompressSummaries(compressSummaries(TEXT, size), MOST)).toBe(TEXT);
  });

  it("is read as an earlier release compressed it", () => {
    const dictionary = Buffer.from(SUMMARY_DICTIONARY_V1);
    const bytes = Buffer.concat([Buffer.of(1), deflateRawSync(TEXT, { dictionary })]);
    expect(decompressSummaries(bytes, MOST)).toBe(TEXT);
  });

  it("is not read in a codec of a later release", () => {
    expect(decompressSummaries(Uint8Array.of(3, 0, 0), MOST)).toBeUndefined();
  });

  it("is not read beyond the limit", () => {
    expect(() => decompressSummaries(compressSummaries("x".repeat(MOST + 1), "one"), MOST)).toThrow(/larger than/);
  });
});

describe("a dictionary never changes, because bytes that were compressed with it can be read only with it", () => {
  it.each([
    ["codec 1", SUMMARY_DICTIONARY_V1, "edabddbb3d2037fbd730e633763dd7f692d31c69a751e661f715ec495a903c0b"],
    ["codec 2", SUMMARY_DICTIONARY_V2, "7ff7003511eacfe69f8442f7fca854170efcd27bc38f346824f96f5da0a49fbf"],
  ])("%s", (_, dictionary, hash) => {
    expect(createHash("sha256").update(dictionary).digest("hex")).toBe(hash);
  });
});
