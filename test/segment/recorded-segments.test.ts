import { createReadStream, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import type { Fact } from "../../src/job/model/fact.ts";
import { factsOf, foldJobs } from "../../src/job/model/job-record.ts";
import { FactDeduplicator } from "../../src/segment/fact-deduplicator.ts";
import { readRecording } from "../../src/kubernetes/recording/recording.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { decodeFacts, encodeFacts } from "../../src/segment/fact-list.ts";
import { Sealer } from "../../src/segment/sealer.ts";
import type { SealedSegment } from "../../src/segment/segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { sharedRecording, skipWithoutShared } from "../support/recordings/real-recordings.ts";

const RECORDING = "mixed-2000.ndjson.gz";
const TIMES = "mixed-2000.times.json";

const WINDOW_MILLIS = 250;

describe.skipIf(skipWithoutShared([RECORDING, TIMES]))("2,000 recorded Jobs", () => {
  let windows: readonly (readonly Fact[])[] = [];
  let facts: readonly Fact[] = [];

  beforeAll(async () => {
    const { ms } = JSON.parse(readFileSync(sharedRecording(TIMES), "utf8")) as { readonly ms: readonly number[] };
    const deduplicator = new FactDeduplicator({ jobs: 10_000, pods: 10_000 });
    const byWindow = new Map<number, Fact[]>();
    let line = 0;
    for await (const item of readRecording(createReadStream(sharedRecording(RECORDING)))) {
      const window = Math.floor((ms[line++] ?? 0) / WINDOW_MILLIS);
      const translated = "event" in item ? translate(item.event) : undefined;
      if (translated?.outcome !== "translated") continue;
      const group = byWindow.get(window) ?? [];
      byWindow.set(window, group);
      group.push(...translated.facts.filter((fact) => deduplicator.isNew(fact)));
    }
    windows = [...byWindow.values()].filter((group) => group.length > 0);
    facts = windows.flat();
  });

  it("take at most 90 bytes a fact in windows of 250 ms", () => {
    expect(bytesPerFact(seal(windows))).toBeLessThanOrEqual(90);
  });

  it("take at most 40 bytes a fact in full segments", () => {
    expect(bytesPerFact(seal([facts]))).toBeLessThanOrEqual(40);
  });

  it("have states of at most 1 KiB, 95 % of those with one Pod", () => {
    const states = [...foldJobs(facts).values()].filter(({ pods }) => pods.size === 1);
    const sizes = states.map((record) => encodeFacts(factsOf(record)).length).sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length * 0.95)]).toBeLessThanOrEqual(1024);
  });

  it("are decoded from their segments without a difference", () => {
    const read = seal(windows).flatMap(({ bytes }) => {
      const decoded = decodeSegment(bytes);
      return decoded.outcome === "decoded" ? decoded.segment.facts : [];
    });
    expect(read.map(canonical).sort()).toEqual(facts.map(canonical).sort());
  });

  it("are decoded from their states without a difference", () => {
    for (const record of foldJobs(facts).values()) {
      const decoded = decodeFacts(encodeFacts(factsOf(record)));
      expect(decoded.outcome === "decoded" && foldJobs(decoded.facts).get(record.job.uid)).toEqual(record);
    }
  });
});

function seal(groups: readonly (readonly Fact[])[]): readonly SealedSegment[] {
  const sealer = new Sealer({ cluster: clusterNamed("recording"), session: "00c0ffee00c0ffee", firstSequence: 0 });
  return groups.flatMap((group) => {
    const sealed: SealedSegment[] = [];
    for (const fact of group) {
      if (sealer.add(fact).outcome !== "full") continue;
      sealed.push(...sealer.seal(0));
      sealer.add(fact);
    }
    return [...sealed, ...sealer.seal(0)];
  });
}

function bytesPerFact(segments: readonly SealedSegment[]): number {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  return bytes / segments.reduce((sum, segment) => sum + segment.factCount, 0);
}
