import type { Fact } from "../../job/model/fact.ts";
import type { Erasure } from "../../log/erasure/erasure.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { remainsOf } from "../../segment/erase-facts.ts";
import { partitionOfKey, type TableName } from "../layout/archive-keys.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import { merkleRoot, merkleTree } from "../layout/merkle.ts";
import { encodeSegmentFile, factLeaf, type FiledSegment } from "../layout/segment-file.ts";
import { PartWriter } from "../parquet/part-writer.ts";
import { readRows } from "../parquet/read-part.ts";
import { readSegmentFile } from "../read/archived-segments.ts";
import { COLUMNS } from "../rows/job-rows.ts";
import { isErasedRow } from "../verify/erased-data.ts";

/** The object that remains after an erasure, and its bytes. */
export type ObjectRemains =
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "erased"; readonly remains?: { readonly object: ArchivedObject; readonly bytes: Uint8Array } };

const UNCHANGED: ObjectRemains = { outcome: "unchanged" };

/**
 * Rewrites an object of an archive without what an erasure removes. The same object always gives the same remains.
 * Throws ArchiveDamagedError or PartUnreadableError.
 */
export async function eraseObject(
  store: ObjectStore,
  object: ArchivedObject,
  erasure: Erasure,
): Promise<ObjectRemains> {
  const partition = partitionOfKey(object.key);
  return partition === undefined
    ? eraseSegments(store, object, erasure)
    : erasePart({ store, object, table: partition.table }, erasure);
}

async function eraseSegments(store: ObjectStore, object: ArchivedObject, erasure: Erasure): Promise<ObjectRemains> {
  const segments: FiledSegment[] = [];
  const leaves: Buffer[] = [];
  let isErased = false;
  for (const filed of await readSegmentFile(store, object)) {
    const decoded = decodeSegment(filed.bytes);
    if (decoded.outcome === "rejected") throw new ArchivedSegmentUnreadableError(store, object.key, decoded.reason);
    const { segment, sha256 } = decoded;
    erasure.learn(segment);
    const isGone = (fact: Fact) => (erasure.isErased(segment.cluster, fact) ? erasure.scope.id : undefined);
    const remains = remainsOf(decoded, isGone);
    isErased ||= remains !== undefined;
    segments.push(remains === undefined ? filed : { ...filed, bytes: remains.sealed.bytes });
    for (const fact of (remains?.segment ?? segment).facts) leaves.push(factLeaf(sha256, fact));
  }
  if (!isErased) return UNCHANGED;
  const bytes = encodeSegmentFile(segments);
  const sha256 = sha256Of(bytes);
  const key = object.key.replace(/[^/]+\.seg$/, `${sha256}.seg`);
  const factsRoot = merkleRoot(merkleTree(leaves)).toString("hex");
  return { outcome: "erased", remains: { object: { ...object, key, sha256, bytes: bytes.length, factsRoot }, bytes } };
}

interface PartOfTable {
  readonly store: ObjectStore;
  readonly object: ArchivedObject;
  readonly table: TableName;
}

/** Parts are rewritten one at a time: the remains are no larger than the part, so both fit into memory. */
async function erasePart({ store, object, table }: PartOfTable, erasure: Erasure): Promise<ObjectRemains> {
  const writer = new PartWriter(COLUMNS[table]);
  let gone = 0;
  for await (const rows of readRows({ store, key: object.key, bytes: object.bytes })) {
    for (const row of rows) {
      if (isErasedRow(table, row, erasure)) gone += 1;
      else writer.add(row);
    }
  }
  if (gone === 0) return UNCHANGED;
  if (writer.rows === 0) return { outcome: "erased" };
  const bytes = writer.finish();
  const sha256 = sha256Of(bytes);
  // A part that replaces another one at the same place, as put-objects.ts names it.
  const key = object.key.replace(/(?:-e[0-9a-f]{8})?\.parquet$/, `-e${sha256.slice(0, 8)}.parquet`);
  return { outcome: "erased", remains: { object: { key, sha256, bytes: bytes.length, rows: writer.rows }, bytes } };
}

/** A segment of the archive cannot be read: it may have facts that are to be erased. */
class ArchivedSegmentUnreadableError extends Error {
  override readonly name = "ArchivedSegmentUnreadableError";

  constructor(store: ObjectStore, key: string, reason: string) {
    super(
      `Cannot erase from ${key} of archive ${store.name}: a segment cannot be read, and may have the data. ${reason}`,
    );
  }
}
