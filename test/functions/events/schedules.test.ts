import { describe, expect, it } from "vitest";
import { onAudit } from "../../../functions/events/audit-event.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import type { LogKey } from "../../../src/ports/log.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

async function scheduled() {
  const meta = new MemoryMetaStore();
  const log = new MemoryLog();
  const told = new FunctionJournal();
  const sent: LogKey[] = [];
  const dependencies = {
    log,
    meta,
    projections: new MemoryProjections(),
    refoldQueues: [{ send: async (keys: readonly LogKey[]) => void sent.push(...keys) }],
    clock: { now: () => NOON + HOUR },
    count: told.count,
    logger: told.logger,
  };
  const story = new Story("render");
  story.jobCreated();
  const named = { cluster: clusterNamed("east"), sealedAt: NOON, session: "0123456789abcdef", sequence: 0 };
  const ingested = await ingestSegment(
    { log, meta, days: new LogDayRegistry(meta) },
    sealSegment({ ...named, facts: story.facts }).bytes,
    { now: NOON },
  );
  if (ingested.outcome !== "appended") throw new Error(ingested.outcome);
  return { dependencies, told, sent, key: ingested.item.key };
}

describe("the audit", () => {
  it("queues, counts and logs missing items, once", async () => {
    const { dependencies, told, sent, key } = await scheduled();
    await onAudit(dependencies, told.context);
    expect(sent).toEqual([key]);
    // Compared up to a quarter of an hour ago.
    expect(told.counts).toEqual({ AuditMismatches: 1, ConflictingSegments: 0, OldestUnauditedSeconds: 900 });
    expect(told.lines[0]).toMatch(
      /^ERROR A log item is missing from the projection\. .*The projection has no Job render\./,
    );
    await onAudit(dependencies, told.context);
    expect(told.counts).toMatchObject({ AuditMismatches: 1 });
  });

  it("says which projection it compared, and sends what is missing to the projectors of a trial as well", async () => {
    const { dependencies, told, sent, key } = await scheduled();
    const [queue] = dependencies.refoldQueues;
    const refoldQueues = [...dependencies.refoldQueues, ...(queue ? [queue] : [])];
    expect(await onAudit({ ...dependencies, refoldQueues }, told.context)).toMatchObject({ projection: "A" });
    expect(sent).toEqual([key, key]);
  });

  it("starts no batch without enough time", async () => {
    const { dependencies, told } = await scheduled();
    told.remainingMillis = 1_000;
    expect(await onAudit(dependencies, told.context)).toMatchObject({
      segments: 0,
      unapplied: 0,
      isBehind: true,
    });
    // Nothing was compared yet: the first audit begins three hours back.
    expect(told.counts).toMatchObject({ OldestUnauditedSeconds: 3 * 3_600 + 900 });
  });
});
