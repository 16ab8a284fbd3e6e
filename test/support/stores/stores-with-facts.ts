import { createHash } from "node:crypto";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { canonical } from "../../../src/job/model/canonical.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { type Instant, utcDay } from "../../../src/job/model/instant.ts";
import type { ApiStores } from "../../../src/http/create-api.ts";
import { ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { Sealer } from "../../../src/segment/sealer.ts";
import { clusterOf } from "../story/listed-job.ts";
import { MemoryJobStore } from "./memory-job-store.ts";
import { MemoryLog } from "./memory-log.ts";
import { MemoryMetaStore } from "./memory-meta-store.ts";

const SEALED_AT = Date.parse("2026-01-01T12:00:00Z");
const RETRY = { attempts: 3, pause: async () => {} };

/** Stores in memory with `facts` of cluster "east" that were sealed, logged and projected, several per segment. */
export async function storesWithFacts(facts: readonly Fact[], factsInSegment = 7): Promise<ApiStores> {
  const stores = emptyStores();
  await tell(stores, facts, { factsInSegment });
  return stores;
}

export function emptyStores(): ApiStores {
  return storesOver({ jobs: new MemoryJobStore(), meta: new MemoryMetaStore(), log: new MemoryLog() });
}

/** The stores of an API whose projections are one store. */
export function storesOver({ jobs, runs = new MemoryJobStore(), meta, log }: QueryPorts): ApiStores {
  return { projections: { open: () => jobs, runs: () => runs }, meta, log };
}

interface TellOptions {
  readonly cluster?: string;
  readonly factsInSegment?: number;
  readonly sealedAt?: Instant;
}

/** Ingests facts of a cluster (by default "east") into `stores` from another exporter. */
export async function tell(
  stores: ApiStores,
  facts: readonly Fact[],
  { cluster = "east", factsInSegment = 7, sealedAt = SEALED_AT }: TellOptions = {},
): Promise<void> {
  const session = createHash("sha256")
    .update(canonical([cluster, facts]))
    .digest("hex")
    .slice(0, 16);
  await new LogDayRegistry(stores.meta).note({ cluster: clusterOf(cluster), day: utcDay(sealedAt) });
  const changes = new ChangeFeed(stores.meta, () => sealedAt);
  const sealer = new Sealer({ cluster: clusterOf(cluster), session, firstSequence: 0 });
  for (let from = 0; from < facts.length; from += factsInSegment) {
    for (const fact of facts.slice(from, from + factsInSegment)) {
      const added = sealer.add(fact);
      if (added.outcome === "rejected") throw new Error(added.reason);
    }
    const items = sealer.seal(sealedAt);
    for (const item of items) await stores.log.append(item);
    const { refold } = await projectLive({ ...stores, changes }, items, RETRY);
    if (refold.length > 0) throw new Error("A segment could not be folded", { cause: refold[0]?.cause });
  }
}
