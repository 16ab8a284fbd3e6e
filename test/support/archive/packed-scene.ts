import { appendPacked } from "../../../src/log/append-packed.ts";
import { LogHourRegistry } from "../../../src/log/log-hour-registry.ts";
import { archiveLog, type Archived } from "../../../src/archive/write/archive-log.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { segmentKey } from "../../../src/segment/segment-key.ts";
import { clusterNamed } from "../facts/names.ts";
import { MemoryJobStore } from "../stores/memory-job-store.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { MemoryObjects } from "../stores/memory-objects.ts";
import { MemoryPackedLog } from "../stores/memory-packs.ts";

const RETRY = { attempts: 1, pause: async () => {} };
const SHARDS = 3;

/** A sealed segment, which can arrive more than once. */
export interface SealedScene {
  readonly bytes: Uint8Array;
}

/** A log of packs, as on AWS, that is archived hour by hour. */
export class PackedScene {
  readonly ports = {
    jobs: new MemoryJobStore(),
    runs: new MemoryJobStore(),
    log: new MemoryPackedLog(),
    meta: new MemoryMetaStore(),
  };
  readonly store = new MemoryObjects();
  readonly #hours = new LogHourRegistry(this.ports.meta);
  #sequence = 0;

  seal(facts: readonly Fact[], sealedAt: Instant, cluster = "east"): SealedScene {
    const name = { cluster: clusterNamed(cluster), session: "0123456789abcdef", sequence: this.#sequence, sealedAt };
    this.#sequence += 1;
    return sealSegment({ ...name, facts });
  }

  /** The segments arrive together, and are projected. */
  async arrive(segments: readonly SealedScene[], arrivedAt: Instant): Promise<void> {
    const packer = { packs: this.ports.log.packs, hours: this.#hours, shards: SHARDS, now: () => arrivedAt };
    const before = this.ports.log.allPacks.length;
    await appendPacked(
      packer,
      segments.map((segment) => ({ item: opened(segment), isAlone: false })),
    );
    const items = this.ports.log.allPacks.slice(before).flatMap((pack) => pack.items);
    await projectSegments(this.ports, items, RETRY);
  }

  async tell(facts: readonly Fact[], sealedAt: Instant, arrivedAt = sealedAt, cluster = "east"): Promise<SealedScene> {
    const segment = this.seal(facts, sealedAt, cluster);
    await this.arrive([segment], arrivedAt);
    return segment;
  }

  /** Has the packs of another log, and projects them. */
  async adopt({ log }: { readonly log: MemoryPackedLog }): Promise<void> {
    for (const pack of log.allPacks) {
      await this.#hours.note(pack.hour);
      await this.ports.log.packs.append(pack);
      await projectSegments(this.ports, pack.items, RETRY);
    }
  }

  archive(now: Instant, store: ObjectStore = this.store): Promise<Archived> {
    return archiveLog({ ...this.ports, store }, { now, newId: () => "archive-1" });
  }
}

function opened({ bytes }: SealedScene) {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  const { segment, sha256 } = decoded;
  return { key: segmentKey(segment), bytes, sha256, factCount: segment.facts.length, segment };
}
