import * as fc from "fast-check";
import { brotliCompressSync, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeClusterName } from "../../src/job/model/ids.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { DICTIONARY_V1 } from "../../src/segment/dictionary-v1.ts";
import { DICTIONARY_V2 } from "../../src/segment/dictionary-v2.ts";
import { wrap } from "../../src/segment/envelope.ts";
import { decodeFacts, encodeFacts } from "../../src/segment/fact-list.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { arbitraryFact, arbitraryFactOfKind } from "../support/facts/arbitrary-facts.ts";

const cluster = decodeClusterName("east-1");
if (cluster === undefined) throw new Error("east-1 is the name of a cluster.");
const NOON = Date.UTC(2026, 10, 21, 12, 0, 0, 250);
const NAME = { cluster, sealedAt: NOON, session: "00c0ffee00c0ffee", sequence: 7 };
const facts = fc.array(arbitraryFact, { maxLength: 60 });

/** The set of facts as sorted canonical texts. */
function asSet(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.map(canonical))].sort();
}

function decoded(bytes: Uint8Array): readonly Fact[] {
  const result = decodeFacts(bytes);
  if (result.outcome === "rejected") throw new Error(result.reason);
  return result.facts;
}

describe("a list of facts", () => {
  it.each(Object.entries(arbitraryFactOfKind))("decodes every %s as it was encoded", (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (fact) => {
        expect(decoded(encodeFacts([fact]))).toEqual([fact]);
      }),
      { numRuns: 60 },
    );
  });

  it("decodes any facts, each once", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        expect(asSet(decoded(encodeFacts(facts)))).toEqual(asSet(facts));
      }),
    );
  });

  it("has the same bytes for the same facts in any order, with any duplicates", () => {
    fc.assert(
      fc.property(
        facts.chain((facts) => fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length }))),
        ([facts, shuffled]) => {
          expect(encodeFacts([...shuffled, ...facts])).toEqual(encodeFacts(facts));
        },
      ),
    );
  });

  it("has the same bytes whatever the order of a fact's fields", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const turned = facts.map((fact) => JSON.parse(canonical(fact)) as Fact);
        expect(encodeFacts(turned)).toEqual(encodeFacts(facts));
      }),
    );
  });

  it("cannot be decoded as a segment, nor a segment as a list of facts", () => {
    expect(decodeSegment(encodeFacts([]))).toMatchObject({ outcome: "rejected", problem: "damaged" });
    expect(decodeFacts(sealSegment({ ...NAME, facts: [] }).bytes)).toMatchObject({ outcome: "rejected" });
  });
});

describe("a segment", () => {
  it("decodes to everything that was sealed", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const sealed = sealSegment({ ...NAME, kubeSystemUid: "uid-of-kube-system", facts });
        const result = decodeSegment(sealed.bytes);
        expect(result).toMatchObject({ outcome: "decoded", sha256: sealed.sha256 });
        if (result.outcome === "rejected") return;
        const { facts: read, ...rest } = result.segment;
        expect(rest).toEqual({ ...NAME, schemaVersion: rest.schemaVersion, kubeSystemUid: "uid-of-kube-system" });
        expect(asSet(read)).toEqual(asSet(facts));
        expect(sealed.factCount).toBe(read.length);
      }),
    );
  });

  it.each([
    ["a session of another length", { session: "short" }],
    ["a session with a number sign", { session: "00c0ffee#0c0ffee" }],
    ["a sequence below 0", { sequence: -1 }],
    ["a sequence of 11 digits", { sequence: 10_000_000_000 }],
    ["an instant between milliseconds", { sealedAt: 0.5 }],
    ["an instant after 9999", { sealedAt: 253_402_300_800_000 }],
  ])("is not sealed with %s", (_, wrong) => {
    expect(() => sealSegment({ ...NAME, ...wrong, facts: [] })).toThrow(/^Cannot seal a segment: /);
  });
});

describe("bytes that were not sealed so", () => {
  it("are rejected after the flip of a bit, or decode to what was sealed", () => {
    fc.assert(
      fc.property(facts, fc.nat(), fc.nat({ max: 7 }), (facts, at, bit) => {
        const sealed = sealSegment({ ...NAME, facts });
        const damaged = Uint8Array.from(sealed.bytes);
        const index = at % damaged.length;
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        const result = decodeSegment(damaged);
        if (result.outcome === "decoded") expect(result.sha256).toBe(sealed.sha256);
        else expect(result.reason).toMatch(/\.$/);
      }),
      { numRuns: 500 },
    );
  });

  it("are rejected wherever they are truncated", () => {
    const [fact] = fc.sample(arbitraryFact, { numRuns: 1, seed: 1 });
    const { bytes } = sealSegment({ ...NAME, facts: fact === undefined ? [] : [fact] });
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeSegment(bytes.subarray(0, length)).outcome).toBe("rejected");
    }
  });

  it("are rejected where they are random", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeSegment(bytes).outcome).toBe("rejected");
        expect(decodeFacts(bytes).outcome).toBe("rejected");
      }),
    );
  });

  it.each([
    ["brotli", 1, (text: Buffer) => brotliCompressSync(text)],
    ["deflate", 2, (text: Buffer) => deflateRawSync(text, { dictionary: Buffer.from(DICTIONARY_V1) })],
    ["deflate of states", 3, (text: Buffer) => deflateRawSync(text, { dictionary: Buffer.from(DICTIONARY_V2) })],
  ])("are rejected where they expand beyond the limit: %s", (_, codec, compress) => {
    const bomb = Buffer.concat([Buffer.from([codec, 0, 0, 0, 0, 0, 0, 0, 0]), compress(Buffer.alloc(8 * 1024 * 1024))]);
    expect(decodeSegment(bomb)).toMatchObject({ outcome: "rejected", problem: "damaged" });
  });

  it.each([
    ["an unknown codec", Uint8Array.of(9, ...new Uint8Array(20)), /Codec 9/],
    ["a later schema", wrap(JSON.stringify([12, { anything: true }])).bytes, /schema 12.*up to 11/],
  ])("are reported as newer: %s", (_, bytes, reason) => {
    const result = decodeSegment(bytes);
    expect(result).toMatchObject({ outcome: "rejected", problem: "newer" });
    expect(result.outcome === "rejected" && result.reason).toMatch(reason);
  });
});
