import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { describeCounts } from "./describe-counts.ts";
import { describeJobStore } from "./describe-job-store.ts";
import { describeLog } from "./describe-log.ts";
import { describeMetaStore } from "./describe-meta-store.ts";
import { describePacks } from "./describe-packs.ts";
import { describeRunStore } from "./describe-run-store.ts";
import { describeWideLists } from "./describe-wide-lists.ts";
import { StreamedJobStore } from "../support/stores/streamed-job-store.ts";
import { WideMemoryStore } from "../support/stores/wide-memory-store.ts";

describeLog("memory", async () => new MemoryLog());
describeLog("memory with packs", async () => new MemoryPackedLog());
describePacks("memory", async () => new MemoryPackedLog());
describeJobStore("memory", async () => new MemoryJobStore());
describeRunStore("memory", async () => new MemoryJobStore());
describeMetaStore("memory", async () => new MemoryMetaStore());
describeJobStore("memory with wide lists", async () => new WideMemoryStore(Date.now));
describeWideLists("memory", async (now) => new WideMemoryStore(now));
describeCounts("memory", async () => {
  const jobs = new StreamedJobStore(Date.now);
  return {
    jobs,
    meta: new MemoryMetaStore(),
    projection: "A",
    stream: jobs,
    remove: (key) => jobs.remove(key),
  };
});
