import { ManifestInvalidError } from "../../src/archive/layout/chain.ts";
import { readArchiveErasures } from "../../src/archive/read/archive-erasures.ts";
import { ArchiveDamagedError } from "../../src/archive/read/archived-segments.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { adoptArchive, ErasedDataArchivedError, StageArchivedError } from "../../src/upkeep/restore/adopt-archive.ts";
import { archivedBatches } from "../../src/upkeep/restore/archived-batches.ts";
import { ErasureNotRestorableError, recordErasures } from "../../src/log/erasure/command/record-erasures.ts";
import { openArchive, openExistingArchive } from "../archive/open-archive.ts";
import { verifyArchiveIn } from "../archive/verify-archive.ts";
import { type DeployedRestore, openDeployedRestore, withClosedHours } from "../deployment/deployed-restore.ts";
import { showProgress } from "../output/progress-bar.ts";
import { restoreBatches } from "./restore-batches.ts";
import { settleAdopted } from "../../src/log/erasure/adopt-erasures.ts";
import { KNOWN_FOR_MS } from "../../src/log/erasure/stored-erasures.ts";
import { noteBegun, noteFinished } from "../../src/upkeep/replay/unfinished-commands.ts";
import { pause } from "../../src/ports/concurrency/pause.ts";

export interface RestoredArchive {
  /** @default the archive of the stage itself */
  readonly archive: string | undefined;
  /** Whether the stage continues the archive, if it archives its log. */
  readonly isAdopted: boolean;
}

/** Fills a deployment from an archive. Nothing is written before the whole archive was verified. */
export async function restoreArchive(stage: string, { archive, isAdopted }: RestoredArchive): Promise<void> {
  const deployed = await openDeployedRestore(stage);
  const store = await openExistingArchive({ archive, stage });
  await verifyArchiveIn({ archive, stage }, undefined);
  try {
    const { meta } = deployed;
    const ports = isAdopted ? deployed.ports : await withClosedHours(deployed);
    const command = { command: "restore", of: store.name } as const;
    await noteBegun(meta, command);
    // The stage must know what was erased: it leaves that out, and refuses segments that say so otherwise.
    const recorded = await recordErasures({ log: ports.log, meta }, (await readArchiveErasures(store)).files);
    if (recorded.length > 0) await pause(KNOWN_FOR_MS);
    if (isAdopted) await adopt(deployed, store);
    await restoreBatches({ stage, ports, source: store.name }, archivedBatches({ store, meta }));
    await settleAdopted(meta, recorded);
    await noteFinished(meta, command);
  } catch (cause) {
    throw isKnown(cause) ? new CommandFailure(1, cause.message, { cause }) : cause;
  }
}

/** Done before the log is filled. Otherwise the stage's archiver would begin its own archive with the first hours. */
async function adopt({ archive, meta }: DeployedRestore, from: ObjectStore): Promise<void> {
  if (archive === undefined) return;
  const progress = showProgress("Copying hours of the archive");
  let hours = 0;
  try {
    await adoptArchive({ from, to: await openArchive(archive), meta }, () => progress.at(++hours, hours));
  } finally {
    progress.stop();
  }
}

function isKnown(cause: unknown): cause is Error {
  return (
    cause instanceof ArchiveDamagedError ||
    cause instanceof ManifestInvalidError ||
    cause instanceof StageArchivedError ||
    cause instanceof ErasedDataArchivedError ||
    cause instanceof ErasureNotRestorableError
  );
}
