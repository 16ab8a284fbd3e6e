import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../../src/ingest/log-day-registry.ts";
import { ingestSegment } from "../../../src/ingest/ingest-segment.ts";
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

/** A log that segments come to at times of their own. */
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

/** Takes up to `most` segments, and where to go on from: through the text of a cursor, as a client would. */
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
  if (read === undefined) throw new Error("A position is not read as it was written");
  return read;
}

/** Segments sealed over two minutes, across midnight, most of which come at once and some as late as an hour. */
const sent = fc.array(
  fc.record({
    sealed: fc.integer({ min: 0, max: 120_000 }),
    delay: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 3_600_000 })),
  }),
  { maxLength: 30 },
);

describe("a reader that follows the log", () => {
  it("is given every segment, whenever it comes and however often it looks", async () => {
    await fc.assert(
      fc.asyncProperty(sent, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), async (drawn, takes) => {
        const { stores, arrive } = openLog();
        const segments = drawn
          .map(({ sealed, delay }, sequence) => ({
            sequence,
            sealedAt: BEGIN + sealed,
            arrivesAt: BEGIN + sealed + delay,
          }))
          .sort((a, b) => a.arrivesAt - b.arrivesAt);
        let position = positionAt(BEGIN);
        const given: number[] = [];
        const look = async (now: Instant, most: number): Promise<void> => {
          const { taken, position: next } = await take(stores, position, now, most);
          given.push(...taken);
          position = next;
        };
        for (const [index, segment] of segments.entries()) {
          await arrive(segment);
          await look(segment.arrivesAt, takes[index % takes.length] ?? 1);
        }
        await look(BEGIN + 4_000_000, 1_000);
        expect(new Set(given)).toEqual(new Set(drawn.keys()));
      }),
      { numRuns: 200 },
    );
  });

  it("is given each once when it looks every second and nothing is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(sent, async (drawn) => {
        const { stores, arrive } = openLog();
        const waiting = drawn.map(({ sealed, delay }, sequence) => {
          const sealedAt = BEGIN + sealed;
          return { sequence, sealedAt, arrivesAt: sealedAt + Math.min(delay, 200_000) };
        });
        let position = positionAt(BEGIN);
        const given: number[] = [];
        for (let now = BEGIN; now <= BEGIN + 400_000; now += 1_000) {
          for (const segment of waiting.filter(({ arrivesAt }) => arrivesAt > now - 1_000 && arrivesAt <= now)) {
            await arrive(segment);
          }
          const { taken, position: next } = await take(stores, position, now, 1_000);
          given.push(...taken);
          position = next;
        }
        expect(given.toSorted((a, b) => a - b)).toEqual([...drawn.keys()]);
      }),
      { numRuns: 20 },
    );
  });

  it("keeps a short position while nothing happens", async () => {
    const { stores, arrive } = openLog();
    await arrive({ sequence: 0, sealedAt: BEGIN, arrivesAt: BEGIN });
    const { taken, position } = await take(stores, positionAt(BEGIN), BEGIN + 86_400_000, 10);
    expect(taken).toEqual([0]);
    expect(formatPosition(position)).toBe("2026-01-02T23:58:45.000Z|1767398325000|");
  });
});
