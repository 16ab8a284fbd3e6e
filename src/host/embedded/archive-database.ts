import { randomUUID } from "node:crypto";
import { archiveLog, type Archived } from "../../archive/write/archive-log.ts";
import type { ChainLink } from "../../archive/layout/chain.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { liveStores } from "../../projection/live-projection.ts";
import type { Embedded } from "./embedded-tracker.ts";

export interface ArchiveDatabaseOptions {
  readonly now: number;
  readonly untilNow?: boolean;
  readonly onLink?: (link: ChainLink) => void;
  /** Whether another hour may begin. @default always */
  readonly hasTime?: () => boolean;
}

/** Archives the closed hours of a database, or all hours until now. */
export async function archiveDatabase(
  { log, meta, projections }: Pick<Embedded, "log" | "meta" | "projections">,
  store: ObjectStore,
  options: ArchiveDatabaseOptions,
): Promise<Archived> {
  const live = await liveStores(projections, meta);
  return archiveLog({ log, meta, ...live, store }, { ...options, newId: randomUUID });
}

export interface ArchiveSchedule {
  /** Stops after the hour that is being archived. */
  readonly stop: () => Promise<void>;
}

/** An hour is archived at most this long after it closed. */
const EVERY_MS = 5 * 60_000;

/** Archives the closed hours of a database, now and every few minutes. Runs do not overlap. */
export function scheduleArchive(
  embedded: Pick<Embedded, "log" | "meta" | "projections">,
  store: ObjectStore,
  onFailed: (error: unknown) => void,
): ArchiveSchedule {
  let isStopped = false;
  let running: Promise<unknown> | undefined;
  const run = (): void => {
    running ??= archiveDatabase(embedded, store, { now: Date.now(), hasTime: () => !isStopped })
      .catch(onFailed)
      .finally(() => {
        running = undefined;
      });
  };
  run();
  const timer = setInterval(run, EVERY_MS);
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
