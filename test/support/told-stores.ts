import type { Fact } from "../../src/job/fact.ts";
import type { ApiStores } from "../../src/http/create-api.ts";
import { projectLive } from "../../src/projection/project-segments.ts";
import { createSealer } from "../../src/segment/sealer.ts";
import { clusterOf } from "./listed-job.ts";
import { MemoryJobStore } from "./memory-job-store.ts";
import { MemoryLog } from "./memory-log.ts";
import { MemoryMetaStore } from "./memory-meta-store.ts";

const SEALED_AT = Date.parse("2026-01-01T12:00:00Z");
const RETRY = { attempts: 3, pause: async () => {} };

/** Stores in memory that were told `facts` of cluster "east" through the real path: sealed, logged, projected; some facts to a segment. */
export async function storesTold(facts: readonly Fact[], factsInSegment = 7): Promise<ApiStores> {
  const stores = { jobs: new MemoryJobStore(), meta: new MemoryMetaStore(), log: new MemoryLog() };
  const projections = { open: () => stores.jobs, clear: async () => {} };
  const sealer = createSealer({ cluster: clusterOf("east"), session: "0123456789abcdef", firstSequence: 0 });
  for (let from = 0; from < facts.length; from += factsInSegment) {
    for (const fact of facts.slice(from, from + factsInSegment)) sealer.add(fact);
    const items = sealer.seal(SEALED_AT);
    for (const item of items) await stores.log.append(item);
    const { refold } = await projectLive({ projections, meta: stores.meta }, items, RETRY);
    if (refold.length > 0) throw new Error("A segment could not be folded", { cause: refold[0]?.cause });
  }
  return { projections, meta: stores.meta, log: stores.log };
}
