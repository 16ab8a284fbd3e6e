import { ManifestInvalidError } from "../../src/archive/layout/chain.ts";
import { ArchiveDamagedError } from "../../src/archive/read/archived-segments.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import {
  type Restored,
  type RestoreBatch,
  RestoreIncompleteError,
  type RestorePorts,
  restoreSegments,
} from "../../src/upkeep/restore/restore-segments.ts";
import { count } from "../../src/job/text/sentence.ts";
import { replayDeployed } from "../deployment/deployed-replay.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";

export interface Restoring {
  readonly stage: string;
  readonly ports: RestorePorts;
  /** Where the segments come from, for the report. */
  readonly source: string;
}

/** Restores the log of a deployment and rebuilds its Jobs from the whole log. */
export async function restoreBatches(restoring: Restoring, batches: AsyncIterable<RestoreBatch>): Promise<void> {
  const restored = await restoreLog(restoring, batches);
  remark(describe(restoring, restored));
  // The log's stream projects what was appended, too. Only the end of a rebuild proves that nothing is missing.
  await replayDeployed({ stage: restoring.stage, isTrial: false, isResumed: false });
  failIfIncomplete(restored);
}

async function restoreLog({ ports }: Restoring, batches: AsyncIterable<RestoreBatch>): Promise<Restored> {
  const progress = showProgress("Restoring segments");
  try {
    return await restoreSegments(ports, batches, (segments) => progress.at(segments, segments));
  } catch (cause) {
    throw isKnown(cause) ? new CommandFailure(1, cause.message, { cause }) : cause;
  } finally {
    progress.stop();
  }
}

function isKnown(cause: unknown): cause is Error {
  return (
    cause instanceof RestoreIncompleteError ||
    cause instanceof ArchiveDamagedError ||
    cause instanceof ManifestInvalidError
  );
}

function describe({ stage, source }: Restoring, { segments, known, late, expired }: Restored): string {
  const parts = [
    `Restored ${count(segments - known - expired, "segment")} of ${source} into ${stage}, and read them back`,
    ...(known > 0 ? [`${count(known, "segment")} were there already`] : []),
    ...(late > 0
      ? [`${count(late, "segment")} of hours that the archive has closed arrived now, to be archived with this hour`]
      : []),
    ...(expired > 0 ? [`${count(expired, "segment")} are older than the log keeps`] : []),
  ];
  return `${parts.join("; ")}.`;
}

function failIfIncomplete({ setAside }: Restored): void {
  if (setAside === 0) return;
  throw new CommandFailure(
    1,
    `${count(setAside, "segment")} cannot be read by the deployed release and were set aside. Deploy the latest ` +
      "release, then run `outlive redrive --what set-aside`.",
  );
}
