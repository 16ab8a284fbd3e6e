import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_ERASURES_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveErasuresRecord } from "../../erasure/erasure-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import type { ChainLink } from "../layout/chain.ts";
import { ERASURES } from "../layout/erasure-file.ts";
import type { ArchivedObject } from "../layout/manifest.ts";
import { readArchiveErasures } from "../read/archive-erasures.ts";

export interface ListingPorts {
  readonly meta: MetaStore;
  readonly store: ObjectStore;
}

/** The records of erasures that no manifest has yet, as objects of the next one. */
export async function unlistedErasures({ meta, store }: ListingPorts): Promise<readonly ArchivedObject[]> {
  const { files } = await readArchiveErasures(store);
  if (files.length === 0) return [];
  const listed = new Set((await readRecord(meta, archiveErasuresRecord, ARCHIVE_ERASURES_KEY))?.value.listed);
  return files.filter(({ key }) => !listed.has(key)).map(({ key, sha256, bytes }) => ({ key, sha256, bytes, rows: 1 }));
}

/** Notes which records of erasures a manifest has. If that is lost, the next manifest has them again. */
export async function noteListed(meta: MetaStore, { manifest }: ChainLink): Promise<void> {
  const keys = manifest.objects.map(({ key }) => key).filter((key) => key.startsWith(ERASURES));
  if (keys.length === 0) return;
  const stored = await readRecord(meta, archiveErasuresRecord, ARCHIVE_ERASURES_KEY);
  const listed = [...new Set([...(stored?.value.listed ?? []), ...keys])].sort();
  await writeRecord(meta, archiveErasuresRecord, {
    key: ARCHIVE_ERASURES_KEY,
    value: { listed },
    expected: stored?.version ?? 0,
  });
}
