import { describe, expect, it } from "vitest";
import { isJobFact } from "../../src/job/model/fact.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { wrap } from "../../src/segment/envelope.ts";
import { type ErasedSegment, eraseFacts, type ErasureOfFact } from "../../src/segment/erase-facts.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { EIGHT, endedJob } from "../support/archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";

const facts = [...endedJob({ name: "keep", createdAt: EIGHT }), ...endedJob({ name: "secret", createdAt: EIGHT })];
const name = { cluster: clusterNamed("east"), sealedAt: EIGHT, session: "0123456789abcdef", sequence: 7 };
const original = sealSegment({ ...name, kubeSystemUid: "kube", facts });

const ofJob =
  (job: string, id: string): ErasureOfFact =>
  (fact) =>
    isJobFact(fact) && fact.jobUid === jobUid(job) ? id : undefined;

function erased(bytes: Uint8Array, erasureOf: ErasureOfFact): ErasedSegment {
  const outcome = eraseFacts(bytes, () => erasureOf);
  if (outcome.outcome !== "erased") throw new Error(`The segment is ${outcome.outcome}.`);
  return outcome;
}

describe("a segment of which facts were erased", () => {
  const { sealed, gone } = erased(original.bytes, ofJob("secret", "e1"));

  it("keeps its key and the hash of the original", () => {
    expect(sealed).toMatchObject({ key: original.key, sha256: original.sha256 });
  });

  it("states both hashes, and how many facts were erased by which erasure", () => {
    const decoded = decodeSegment(sealed.bytes);
    expect(decoded).toMatchObject({
      outcome: "decoded",
      sha256: original.sha256,
      segment: { ...name, kubeSystemUid: "kube", erased: { sha256: original.sha256, facts: gone.length, by: ["e1"] } },
    });
    expect(decoded.outcome === "decoded" && decoded.remainsSha256).not.toBe(original.sha256);
  });

  it("has the other facts", () => {
    const decoded = decodeSegment(sealed.bytes);
    const left = decoded.outcome === "decoded" ? decoded.segment.facts : [];
    expect(left.length + gone.length).toBe(facts.length);
    expect(JSON.stringify(left)).not.toContain("secret");
    expect(JSON.stringify(left)).toContain("keep");
  });

  it("has the same bytes when the erasure is repeated on the original", () => {
    expect(erased(original.bytes, ofJob("secret", "e1")).sealed.bytes).toEqual(sealed.bytes);
  });

  it("is unchanged by the same erasure", () => {
    expect(eraseFacts(sealed.bytes, () => ofJob("secret", "e1"))).toEqual({ outcome: "unchanged" });
  });

  it("adds up the facts of two erasures, and keeps the key without any fact", () => {
    const twice = erased(sealed.bytes, ofJob("keep", "e0"));
    expect(twice.sealed).toMatchObject({ key: original.key, sha256: original.sha256, factCount: 0 });
    expect(twice.segment.erased).toEqual({ sha256: original.sha256, facts: facts.length, by: ["e0", "e1"] });
    expect(decodeSegment(twice.sealed.bytes)).toMatchObject({ outcome: "decoded", segment: { facts: [] } });
  });
});

describe("bytes that are no segment", () => {
  it("are rejected, and not taken for erased", () => {
    expect(eraseFacts(Uint8Array.of(1, 2), () => () => "e1")).toMatchObject({ outcome: "rejected" });
  });

  it.each([
    ["no list", { sha256: "" }],
    ["another hash", ["abc", 1, "e1"]],
    ["no number of facts", ["0".repeat(64), "1", "e1"]],
    ["a number for an id", ["0".repeat(64), 1, 2]],
    ["of no erasure", ["0".repeat(64), 1]],
    ["of no fact", ["0".repeat(64), 0, "e1"]],
  ])("are damaged where the mark of erased facts is %s", (_, mark) => {
    const head = ["east", "", EIGHT, name.session, 7];
    const { bytes } = wrap(JSON.stringify([5, head, [[], "", []], mark]));
    expect(decodeSegment(bytes)).toMatchObject({ outcome: "rejected", problem: "damaged" });
  });
});
