import { adoptErasures } from "../adopt-erasures.ts";
import { type LogStores, segmentsOfCluster } from "./erase-log.ts";
import { listErasures, type StoredErasure } from "../stored-erasures.ts";
import { Erasure } from "../erasure.ts";
import type { RecordedErasure } from "../erasable-archive.ts";
import { splitHashes } from "../salted-names.ts";
import { decodeClusterName } from "../../../job/model/ids.ts";
import { decodeSegment } from "../../../segment/decode-segment.ts";

/**
 * Records the erasures of an archive before a stage is filled from it, so that their data is left out. Returns the
 * erasures to settle when the stage is filled. A run that was killed can be repeated. Throws ErasureNotRestorableError
 * if the stage already has data of an erasure, or has an unfinished erasure.
 */
export async function recordErasures(
  stage: LogStores,
  recorded: readonly RecordedErasure[],
): Promise<readonly StoredErasure[]> {
  const stages = new Map((await listErasures(stage.meta)).map(({ record }) => [record.id, record.stage]));
  for (const { file } of recorded) {
    const known = stages.get(file.erasure.id);
    // Adopted erasures are gathered later, so an erasure at this step was begun in this stage.
    if (known === "erasing") throw new ErasureNotRestorableError(file.erasure.id, UNFINISHED);
    if (known === undefined && (await hasLogged(stage, file))) {
      throw new ErasureNotRestorableError(file.erasure.id, LOGGED);
    }
  }
  return adoptErasures(stage.meta, recorded);
}

async function hasLogged(stage: LogStores, { erasure: scope, hashes }: RecordedErasure["file"]): Promise<boolean> {
  const cluster = decodeClusterName(scope.cluster);
  if (cluster === undefined) return false;
  const erasure = new Erasure(scope, splitHashes(hashes));
  for await (const { bytes } of segmentsOfCluster(stage, cluster)) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") continue;
    erasure.learn(decoded.segment);
    if (decoded.segment.facts.some((fact) => erasure.isErased(cluster, fact))) return true;
  }
  return false;
}

const UNFINISHED = "the stage has not finished it. Repeat its command first: it continues.";
const LOGGED =
  "the log of the stage has its data already. Restore into a new stage before exporters send to it, or erase the " +
  "data there first.";

/** A stage cannot be filled from an archive, because of an erasure. Nothing was written. */
export class ErasureNotRestorableError extends Error {
  override readonly name = "ErasureNotRestorableError";

  constructor(id: string, reason: string) {
    super(`Cannot restore: the archive has erasure ${id}, and ${reason}`);
  }
}
