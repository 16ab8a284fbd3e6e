import { eraseArchive } from "../../../src/archive/write/erase-archive.ts";
import { readSegmentFile } from "../../../src/archive/read/archived-segments.ts";
import { sha256Of } from "../../../src/archive/layout/manifest.ts";
import { NO_COUNTS } from "../../../src/log/erasure/erasure-record.ts";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { type ErasureRecord, erasureRecord } from "../../../src/log/erasure/erasure-record.ts";
import { scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { saltedHash } from "../../../src/log/erasure/salted-names.ts";
import { announce, storeHashes } from "../../../src/log/erasure/stored-erasures.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { tableRows } from "../archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../facts/names.ts";

const SALT = "c2FsdA";

/** The erasure of a Job of namespace `shop` of cluster `east`, which knows its uid. */
export function erasureOfJob(name: string, at: number, id = "erasure-1"): Erasure {
  const target = { level: "job", cluster: clusterNamed("east"), namespace: "shop", name } as const;
  const scope = scopeOf({ target, by: "alice", reason: "request 12", at }, { id, salt: SALT });
  return new Erasure(scope, [saltedHash(SALT, "uid", jobUid(name)), saltedHash(SALT, "pod", "shop", `${name}-x`)]);
}

/** Erases from an archive whose stage is not part of the test. */
export async function eraseFrom(store: ObjectStore, erasure: Erasure): Promise<void> {
  await eraseArchive({ store, noteFile: async () => undefined }, erasure, NO_COUNTS);
}

/** Records an erasure as a stage has it, and announces it. */
export async function storeErasure(
  meta: MetaStore,
  erasure: Erasure,
  stage: ErasureRecord["stage"] = "done",
): Promise<void> {
  const { scope, known } = erasure;
  const pages = await storeHashes(meta, scope.id, { hashes: [...known] });
  const value: ErasureRecord = { ...scope, stage, pages, counts: NO_COUNTS };
  await writeRecord(meta, erasureRecord, { key: scope.id, value, expected: 0 });
  await announce(meta);
}

/** Everything that the objects of an archive say, as text. */
export async function archivedText(store: ObjectStore): Promise<string> {
  const texts: unknown[] = [];
  for (const table of ["jobs", "runs", "attempts", "facts"] as const) texts.push(...(await tableRows(store, table)));
  for await (const { key } of store.list("segments/")) {
    const sha256 = sha256Of((await store.read(key)) ?? Buffer.of());
    for (const { bytes } of await readSegmentFile(store, { key, sha256 })) {
      const decoded = decodeSegment(bytes);
      if (decoded.outcome === "decoded") texts.push(decoded.segment.facts);
    }
  }
  return JSON.stringify(texts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
