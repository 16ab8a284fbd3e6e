import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import type { ApiStores } from "../../../src/http/create-api.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { ChangeAnnouncer } from "../../../src/projection/changes/change-announcer.ts";
import { ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { MemoryJobStore } from "./memory-job-store.ts";
import { MemoryLog } from "./memory-log.ts";
import { CountedMetaStore } from "./memory-meta-store.ts";
import { clusterNamed } from "../facts/names.ts";
import { storesOver } from "./stores-with-facts.ts";

const RETRY = { attempts: 1, pause: async () => {} };

/** A tracker in memory that receives segments from one exporter, each at its own instant. */
export class SmallTracker {
  readonly ports = {
    jobs: new MemoryJobStore(),
    runs: new MemoryJobStore(),
    log: new MemoryLog(),
    meta: new CountedMetaStore(),
  };
  readonly stores: ApiStores = storesOver(this.ports);
  readonly #days = new LogDayRegistry(this.ports.meta);
  #sequence = 0;

  async tell(facts: readonly Fact[], sealedAt: Instant, arrivesAt = sealedAt, cluster = "east"): Promise<void> {
    const named = { cluster: clusterNamed(cluster), session: "0123456789abcdef", sequence: this.#sequence, sealedAt };
    this.#sequence += 1;
    const { bytes } = sealSegment({ ...named, facts });
    const ingested = await ingestSegment({ ...this.ports, days: this.#days }, bytes, { now: arrivesAt });
    if (ingested.outcome !== "appended") return;
    const announcer = new ChangeAnnouncer(new ChangeFeed(this.ports.meta, () => arrivesAt).append);
    await projectSegments({ ...this.ports, announcer }, [ingested.item], RETRY);
  }
}
