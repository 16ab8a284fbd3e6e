import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../src/job/model/order.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { Sealer } from "../../src/segment/sealer.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const OPTIONS = { cluster: clusterNamed("east"), session: "00c0ffee00c0ffee", firstSequence: 5 };
const KIB_46 = 46 * 1024;

/** A fact of Job `number` whose message no compressor makes smaller. */
function incompressible(number: number, length: number): Fact {
  const resourceVersion = decodeResourceVersion(String(number + 1));
  if (resourceVersion === undefined) throw new Error("Numbers from 1 on are resourceVersions.");
  let message = "";
  for (let block = 0; message.length < length; block += 1) {
    message += createHash("sha256").update(`${number} ${block}`).digest("base64url");
  }
  const condition = { type: "Failed", status: "True", message: message.slice(0, length) };
  return { kind: "JobFinished", jobUid: jobUid(`job-${number}`), epoch: 0, resourceVersion, at: NOON, condition };
}

function sealAll(sealer: Sealer, facts: readonly Fact[]): readonly SealedSegment[] {
  const sealed: SealedSegment[] = [];
  for (const fact of facts) {
    if (sealer.add(fact).outcome !== "full") continue;
    sealed.push(...sealer.seal(NOON));
    expect(sealer.add(fact)).toEqual({ outcome: "added" });
  }
  return [...sealed, ...sealer.seal(NOON)];
}

function factsOf(segments: readonly SealedSegment[]): readonly Fact[] {
  return segments.flatMap(({ bytes }) => {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    return decoded.segment.facts;
  });
}

function asSet(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.map(canonical))].sort();
}

describe("a sealer", () => {
  it("seals nothing without facts", () => {
    const sealer = new Sealer(OPTIONS);
    expect(sealer.seal(NOON)).toEqual([]);
    expect(sealer.size).toBe(0);
  });

  it("numbers its segments", () => {
    const sealer = new Sealer(OPTIONS);
    const sealed = [1, 2, 3].flatMap((number) => {
      sealer.add(incompressible(number, 10));
      return sealer.seal(NOON);
    });
    expect(sealed.map(({ key }) => key.sk.slice(-3))).toEqual(["005", "006", "007"]);
  });

  it("seals all its facts within its limits, whatever the facts", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 80 }), (facts) => {
        const segments = sealAll(new Sealer({ ...OPTIONS, maxJobs: 2, maxBytes: 900 }), facts);
        expect(asSet(factsOf(segments))).toEqual(asSet(facts));
        for (const { bytes } of segments) expect(bytes.length).toBeLessThanOrEqual(900);
      }),
      { numRuns: 40 },
    );
  });

  it("is full at 400 Jobs, but accepts further facts of these Jobs", () => {
    const sealer = new Sealer(OPTIONS);
    for (let number = 0; number < 400; number += 1) expect(sealer.add(incompressible(number, 1)).outcome).toBe("added");
    expect(sealer.add(incompressible(400, 1)).outcome).toBe("full");
    expect(sealer.add(incompressible(7, 2)).outcome).toBe("added");
    expect(sealer.size).toBe(401);
    expect(sealer.seal(NOON).length).toBe(1);
  });

  it("splits segments of more than 46 KiB, always in the same way", () => {
    const facts = Array.from({ length: 300 }, (_, number) => incompressible(number, 1000));
    const segments = sealAll(new Sealer(OPTIONS), facts);
    expect(segments.length).toBeGreaterThan(4);
    for (const { bytes } of segments) expect(bytes.length).toBeLessThanOrEqual(KIB_46);
    expect(asSet(factsOf(segments))).toEqual(asSet(facts));
    expect(new Set(segments.map(({ key }) => key.sk)).size).toBe(segments.length);
    expect(sealAll(new Sealer(OPTIONS), facts.toReversed())).toEqual(segments);
  });

  it("splits in halves, of which the first has one fact more if their number is odd", () => {
    const sealer = new Sealer(OPTIONS);
    const facts = Array.from({ length: 5 }, (_, number) => incompressible(number, 13_500));
    for (const fact of facts) expect(sealer.add(fact).outcome).toBe("added");
    expect(sealer.seal(NOON).map((segment) => factsOf([segment]).length)).toEqual([3, 2]);
  });

  it("rejects a fact that does not fit alone", () => {
    const sealer = new Sealer(OPTIONS);
    expect(sealer.add(incompressible(1, 40_000)).outcome).toBe("added");
    const huge = sealer.add(incompressible(2, 100_000));
    expect(huge).toEqual({ outcome: "rejected", reason: expect.stringContaining("does not fit") as string });
    expect(sealer.size).toBe(1);
  });

  it("rejects a fact that could not be decoded, so that others are not lost with it", () => {
    const sealer = new Sealer(OPTIONS);
    const fact = { ...incompressible(1, 1), at: Number.NaN };
    expect(sealer.add(fact).outcome).toBe("rejected");
  });
});
