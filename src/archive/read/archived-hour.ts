import type { ClusterName } from "../../job/model/ids.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { type DecodedSegment, decodeSegment } from "../../segment/decode-segment.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import type { ChainLink } from "../layout/chain.ts";
import type { ArchivedObject } from "../layout/manifest.ts";
import { readArchiveErasures, readCurrentLink } from "./archive-erasures.ts";
import { readSegmentFile } from "./archived-segments.ts";

export interface ClusterHour {
  readonly cluster: ClusterName;
  readonly hour: ArchiveHour;
}

/** A segment file of an hour, and its segments. */
export interface OpenedSegmentFile {
  readonly object: ArchivedObject;
  readonly segments: readonly OpenedSegment[];
}

export type OpenedSegment = Extract<DecodedSegment, { readonly outcome: "decoded" }> & { readonly bytes: Uint8Array };

/**
 * The segment files of a cluster in an hour. Segments that this release cannot decode are left out. Throws
 * ArchiveDamagedError.
 */
export async function* archivedHour(
  store: ObjectStore,
  { cluster, hour }: ClusterHour,
): AsyncGenerator<OpenedSegmentFile> {
  yield* openSegmentFiles(
    store,
    await readCurrentLink(store, { kind: "hour", hour }, await readArchiveErasures(store)),
    cluster,
  );
}

/** The segment files of a cluster that a manifest has. */
export async function* openSegmentFiles(
  store: ObjectStore,
  { manifest }: ChainLink,
  cluster: string,
): AsyncGenerator<OpenedSegmentFile> {
  for (const object of manifest.objects) {
    if (!object.key.startsWith("segments/") || object.cluster !== cluster) continue;
    const filed = await readSegmentFile(store, object);
    const segments = filed.flatMap(({ bytes }): readonly OpenedSegment[] => {
      const decoded = decodeSegment(bytes);
      return decoded.outcome === "decoded" ? [{ ...decoded, bytes }] : [];
    });
    yield { object, segments };
  }
}
