import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../command-line/command-failure.ts";
import type { PositionStore } from "../../ports/position-store.ts";
import type { Spool } from "../../ports/spool.ts";
import type { Journal } from "../../ports/runtime/journal.ts";
import { DiskSpool } from "../../adapters/spool/disk-spool.ts";
import { createPositionFile } from "../../adapters/spool/position-file.ts";
import { SpoolBrokenError } from "../../adapters/spool/spool-record.ts";
import { type FileLock, lockFile } from "../../adapters/sqlite/file-lock.ts";

export interface OpenedSpool {
  readonly spool: Spool;
  readonly positions: PositionStore;
  /** Unlocks the folder for other processes. */
  readonly release: () => void;
}

const LOCK = "lock";

/**
 * Opens the spool in `folder` and the position file in it, and locks the folder. Two processes that wrote to one file
 * would treat each other's segments as damage and drop them. Throws CommandFailure if another process has the lock, and
 * SpoolBrokenError if the folder is unusable.
 */
export async function openSpool(folder: string, maxBytes: number, journal: Journal): Promise<OpenedSpool> {
  const lock = await lockFolder(folder);
  if (lock === undefined) {
    throw new CommandFailure(
      2,
      `Another exporter uses the spool in ${folder}. Set --spool to another folder, or stop the other exporter.`,
    );
  }
  const spool = await DiskSpool.open({
    folder,
    maxBytes,
    onDamaged: (file, bytes) =>
      journal.warn(
        "The end of a spool file is incomplete, because a process was killed while writing. Its facts are sent again.",
        { file, bytes },
      ),
  });
  return { spool, positions: createPositionFile(folder), release: lock.release };
}

async function lockFolder(folder: string): Promise<FileLock | undefined> {
  try {
    await mkdir(folder, { recursive: true });
    return lockFile(join(folder, LOCK));
  } catch (cause) {
    throw new SpoolBrokenError(folder, cause);
  }
}
