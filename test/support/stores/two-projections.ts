import { expect } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { logDayKey } from "../../../src/ports/meta-key.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { MemoryLog } from "./memory-log.ts";
import { MemoryMetaStore } from "./memory-meta-store.ts";
import { MemoryProjections } from "./memory-projections.ts";
import { clusterNamed } from "../facts/names.ts";

/** For concurrent lanes that conflict. */
export const PATIENT = { attempts: 20, pause: async () => undefined };

/** Stores in memory with a projection that is live and one that is idle. */
export function twoProjections() {
  return { log: new MemoryLog(), meta: new MemoryMetaStore(), projections: new MemoryProjections() };
}
export type TwoProjections = ReturnType<typeof twoProjections>;

/** Ingests and projects items of cluster "east". */
export async function send({ log, meta, projections }: TwoProjections, items: readonly LogItem[]): Promise<void> {
  for (const item of items) {
    await meta.write("logDay", logDayKey(clusterNamed("east"), item.key.pk.slice("east#".length)), {
      value: "{}",
      expected: 0,
    });
    await log.append(item);
  }
  expect((await projectLive({ projections, meta }, items, PATIENT)).refold).toEqual([]);
}
