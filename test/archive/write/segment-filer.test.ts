import { describe, expect, it } from "vitest";
import { decodeSegmentFile } from "../../../src/archive/layout/segment-file.ts";
import { type SegmentFile, SegmentFiler } from "../../../src/archive/write/segment-filer.ts";
import { EIGHT, endedJob } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const FACTS = endedJob({ name: "a", createdAt: EIGHT });
const LIMITS = { fileBytes: 100, fileFacts: 1_000, openFacts: 1_000 };

function fileAll(limits: typeof LIMITS, clusters: readonly string[], bytes = 40): readonly SegmentFile[] {
  const filer = new SegmentFiler(limits);
  const segment = { bytes: Buffer.alloc(bytes, 1), sha256: "00", facts: FACTS };
  const full = clusters.flatMap((cluster) => [...filer.add({ ...segment, cluster: clusterNamed(cluster) })]);
  return [...full, ...filer.finish()];
}

const sizes = (files: readonly SegmentFile[]) => files.map(({ cluster, segments }) => `${cluster} ${segments}`);

describe("segment files", () => {
  it("have the segments of one cluster each", () => {
    expect(sizes(fileAll(LIMITS, ["east", "west", "east"]))).toEqual(["east 2", "west 1"]);
  });

  it("end at their most bytes", () => {
    expect(sizes(fileAll(LIMITS, ["east", "east", "east", "east"]))).toEqual(["east 3", "east 1"]);
  });

  it("end at their most facts", () => {
    const limits = { ...LIMITS, fileFacts: 2 * FACTS.length };
    expect(sizes(fileAll(limits, ["east", "east", "east"], 1))).toEqual(["east 2", "east 1"]);
  });

  it("end, the largest first, when all together have too many facts", () => {
    const limits = { ...LIMITS, openFacts: 3 * FACTS.length };
    expect(sizes(fileAll(limits, ["west", "east", "east", "west", "north"], 1))).toEqual([
      "west 2",
      "east 2",
      "north 1",
    ]);
  });

  it("have late arrivals, and a root over their facts", () => {
    const filer = new SegmentFiler();
    const segment = { cluster: clusterNamed("east"), bytes: Buffer.of(1, 2), sha256: "00", facts: FACTS };
    expect([...filer.add({ ...segment, lateAt: EIGHT })]).toEqual([]);
    const [file] = [...filer.finish()];
    expect(decodeSegmentFile(file?.bytes ?? Buffer.of())).toEqual({
      outcome: "decoded",
      segments: [{ bytes: Buffer.of(1, 2), lateAt: EIGHT }],
    });
    expect(file?.factsRoot).toMatch(/^[0-9a-f]{64}$/);
    expect([...filer.finish()]).toEqual([]);
  });
});
