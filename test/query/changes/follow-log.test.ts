import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { type FollowPorts, followLog } from "../../../src/query/changes/follow-log.ts";
import {
  formatPosition,
  type LogPosition,
  parsePosition,
  positionAt,
} from "../../../src/query/changes/log-position.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { Story } from "../../support/story/story.ts";

const BEGIN = Date.parse("2026-01-01T23:59:00Z");
const cluster = clusterNamed("east");

interface Sent {
  readonly sequence: number;
  readonly sealedAt: Instant;
  readonly arrivesAt: Instant;
}

/** An empty log, and the arrival of segments in it. */
function openLog() {
  const stores = { log: new MemoryLog(), meta: new MemoryMetaStore() };
  const days = new LogDayRegistry(stores.meta);
  const story = new Story();
  story.jobCreated();
  const arrive = async ({ sequence, sealedAt, arrivesAt }: Sent): Promise<void> => {
    const named = { cluster, session: "0123456789abcdef", sequence, sealedAt };
    const { bytes } = sealSegment({ ...named, facts: story.facts });
    const { outcome } = await ingestSegment({ ...stores, days }, bytes, { now: arrivesAt });
    if (outcome !== "appended") throw new Error(outcome);
  };
  return { stores, arrive };
}

/** Takes up to `most` segments. The position goes through the text of a cursor, as a client's does. */
async function take(ports: FollowPorts, from: LogPosition, now: Instant, most: number) {
  const segments = followLog(ports, { cluster, from, now });
  const taken: number[] = [];
  let position = from;
  while (taken.length < most) {
    const next = await segments.next();
    if (next.done === true) return { taken, position: reread(next.value) };
    taken.push(next.value.segment.sequence);
    position = next.value.position;
  }
  return { taken, position: reread(position) };
}

function reread(position: LogPosition): LogPosition {
  const read = parsePosition(formatPosition(position));
  if (read === undefined) throw new Error("parsePosition does not invert formatPosition");
  return read;
}

/** Segments sealed within two minutes, across midnight. Most arrive within 20 s, and some up to an hour later. */
const sent = fc.array(
  fc.record({
    sealed: fc.integer({ min: 0, max: 120_000 }),
    delay: fc.oneof(
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 3_600_000 }),
    ),
  }),
  { maxLength: 30 },
);

function sentSegment({ sealed, delay }: { readonly sealed: number; readonly delay: number }, sequence: number): Sent {
  return { sequence, sealedAt: BEGIN + sealed, arrivesAt: BEGIN + sealed + delay };
}

/** Reads every second, and arrivals come between two reads. Returns the sequence numbers in the order of the reader. */
async function readEverySecond(segments: readonly Sent[], until: Instant): Promise<readonly number[]> {
  const { stores, arrive } = openLog();
  let position = positionAt(BEGIN);
  const given: number[] = [];
  for (let now = BEGIN; now <= until; now += 1_000) {
    for (const segment of segments.filter(({ arrivesAt }) => arrivesAt > now - 1_000 && arrivesAt <= now)) {
      await arrive(segment);
    }
    const { taken, position: next } = await take(stores, position, now, 1_000);
    given.push(...taken);
    position = next;
  }
  return given;
}

describe("a reader that follows the log", () => {
  it("gets every segment, whenever it arrives and however often the reader polls", async () => {
    await fc.assert(
      fc.asyncProperty(sent, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), async (drawn, takes) => {
        const { stores, arrive } = openLog();
        const segments = drawn.map(sentSegment).sort((a, b) => a.arrivesAt - b.arrivesAt);
        let position = positionAt(BEGIN);
        const given: number[] = [];
        const read = async (now: Instant, most: number): Promise<void> => {
          const { taken, position: next } = await take(stores, position, now, most);
          given.push(...taken);
          position = next;
        };
        for (const [index, segment] of segments.entries()) {
          await arrive(segment);
          await read(segment.arrivesAt, takes[index % takes.length] ?? 1);
        }
        await read(BEGIN + 4_000_000, 1_000);
        expect(new Set(given)).toEqual(new Set(drawn.keys()));
      }),
      { numRuns: 200 },
    );
  });

  it("gets each segment once if it reads every second to the end", async () => {
    await fc.assert(
      fc.asyncProperty(sent, async (drawn) => {
        const segments = drawn.map(({ sealed, delay }, sequence) =>
          sentSegment({ sealed, delay: Math.min(delay, 200_000) }, sequence),
        );
        const given = await readEverySecond(segments, BEGIN + 400_000);
        expect(given.toSorted((a, b) => a - b)).toEqual([...drawn.keys()]);
      }),
      { numRuns: 20 },
    );
  });

  it.each([5_000, 5_001, 10_000, 14_999, 15_000, 15_999, 16_000, 16_001, 17_000, 60_000])(
    "gets a segment once that arrives %i ms after it was sealed",
    async (delay) => {
      const segments = [sentSegment({ sealed: 500, delay }, 0)];
      expect(await readEverySecond(segments, BEGIN + 120_000)).toEqual([0]);
    },
  );

  it("gets all late segments of one instant if it stops after each of them", async () => {
    const { stores, arrive } = openLog();
    const arrivesAt = BEGIN + 60_000;
    for (let sequence = 0; sequence < 3; sequence += 1) {
      await arrive({ sequence, sealedAt: BEGIN + sequence, arrivesAt });
    }
    let position: LogPosition = { ...positionAt(BEGIN), floor: positionAt(arrivesAt).floor };
    const given: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { taken, position: next } = await take(stores, position, arrivesAt + 30_000, 1);
      given.push(...taken);
      position = next;
    }
    expect(given).toEqual([0, 1, 2]);
  });

  it("gets more late segments of one instant than one call reads", async () => {
    const { stores, arrive } = openLog();
    const arrivesAt = BEGIN + 60_000;
    for (let sequence = 0; sequence < 120; sequence += 1) {
      await arrive({ sequence, sealedAt: BEGIN + sequence, arrivesAt });
    }
    const from: LogPosition = { ...positionAt(BEGIN), floor: positionAt(arrivesAt).floor };
    const first = await take(stores, from, arrivesAt + 30_000, 1_000);
    const second = await take(stores, first.position, arrivesAt + 31_000, 1_000);
    expect([...first.taken, ...second.taken]).toEqual([...Array(120).keys()]);
  });

  it("keeps a short position while no segments arrive", async () => {
    const { stores, arrive } = openLog();
    await arrive({ sequence: 0, sealedAt: BEGIN, arrivesAt: BEGIN });
    const { taken, position } = await take(stores, positionAt(BEGIN), BEGIN + 86_400_000, 10);
    expect(taken).toEqual([0]);
    expect(formatPosition(position)).toBe("2026-01-02T23:58:45.000Z|1767398325000|");
  });
});
