import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ERASURES_KEY } from "../../ports/meta-key.ts";
import { MARKER } from "../../ports/records/marker-record.ts";
import { listDecoded, readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import type { Segment } from "../../segment/segment.ts";
import { Erasure } from "./erasure.ts";
import { ErasureFilter } from "./erasure-filter.ts";
import { erasedPage, type ErasureFileName, type ErasureRecord, erasureRecord } from "./erasure-record.ts";
import { splitHashes } from "./salted-names.ts";

/** A record has at most 300 KB. */
const HASHES_PER_PAGE = 16_000;

/** A stored erasure and what it has learned. */
export interface StoredErasure {
  readonly record: ErasureRecord;
  readonly version: number;
  readonly erasure: Erasure;
}

/** All erasures of a store, in order of their ids. */
export async function listErasures(meta: MetaStore): Promise<readonly StoredErasure[]> {
  const found: StoredErasure[] = [];
  for await (const { value, version } of listDecoded(meta, erasureRecord, "")) {
    const hashes: string[] = [];
    for await (const page of listDecoded(meta, erasedPage, `${value.id}#`)) {
      hashes.push(...splitHashes(page.value.hashes));
    }
    found.push({ record: value, version, erasure: new Erasure(value, hashes) });
  }
  return found;
}

/** The erasure that has begun and is not finished: at most one is. */
export async function unfinishedErasure(meta: MetaStore): Promise<StoredErasure | undefined> {
  return (await listErasures(meta)).find(({ record }) => record.stage !== "done");
}

/** Records the name of an object of the archive before it is written. Repeating this changes nothing. */
export async function noteErasureFile(meta: MetaStore, id: string, file: ErasureFileName): Promise<void> {
  const stored = await readRecord(meta, erasureRecord, id);
  // An earlier release began the erasure and did not record the objects that it wrote.
  if (stored?.value.files === undefined) return;
  const { version, value } = stored;
  const { files = [] } = value;
  if (files.some(({ key, sha256 }) => key === file.key && sha256 === file.sha256)) return;
  const noted = { ...value, files: [...files, file] };
  const written = await writeRecord(meta, erasureRecord, { key: id, value: noted, expected: version });
  if (written.outcome === "conflict") await noteErasureFile(meta, id, file);
}

/** Adds hashes that an erasure has learned. Returns how many records they fill. */
export async function storeHashes(
  meta: MetaStore,
  id: string,
  { hashes, from = 0 }: { readonly hashes: readonly string[]; readonly from?: number },
): Promise<number> {
  let page = from;
  for (let start = 0; start < hashes.length; start += HASHES_PER_PAGE) {
    const value = { hashes: hashes.slice(start, start + HASHES_PER_PAGE).join("") };
    await putRecord(meta, { key: `${id}#${String(page).padStart(6, "0")}`, value });
    page += 1;
  }
  if (hashes.length > 0) await announce(meta);
  return page;
}

/** Adds a hash that was learned after gathering. Learning it again changes nothing. */
export async function storeLateHash(meta: MetaStore, id: string, hash: string): Promise<void> {
  const written = await writeRecord(meta, erasedPage, {
    key: `${id}#late#${hash}`,
    value: { hashes: hash },
    expected: 0,
  });
  if (written.outcome === "written") await announce(meta);
}

async function putRecord(
  meta: MetaStore,
  { key, value }: { readonly key: string; readonly value: { readonly hashes: string } },
): Promise<void> {
  const stored = await meta.read("erased", key);
  const written = await writeRecord(meta, erasedPage, { key, value, expected: stored?.version ?? 0 });
  if (written.outcome === "conflict") await putRecord(meta, { key, value });
}

/** Makes every process read the erasures again, within {@link KNOWN_FOR_MS}. */
export async function announce(meta: MetaStore): Promise<void> {
  KNOWN.delete(meta);
  const stored = await meta.read("position", ERASURES_KEY);
  const written = await meta.write("position", ERASURES_KEY, { value: MARKER, expected: stored?.version ?? 0 });
  if (written.outcome === "conflict") await announce(meta);
}

/** Rises with every change of the erasures. */
export async function erasuresVersion(meta: MetaStore): Promise<number> {
  return (await meta.read("position", ERASURES_KEY))?.version ?? 0;
}

/**
 * How long a process may work without checking for a new erasure. An erasure waits longer than this before it begins.
 */
export const KNOWN_FOR_MS = 1_000;

interface Known {
  readonly version: number;
  readonly filter: ErasureFilter;
  readonly checkedAt: Instant;
}

const KNOWN = new WeakMap<MetaStore, Known>();
const NO_ERASURES = new ErasureFilter([]);

/** The erasures of a store, kept up to date by reading one record. */
export async function erasuresOf(meta: MetaStore, now: Instant = performance.now()): Promise<ErasureFilter> {
  const known = KNOWN.get(meta);
  if (known !== undefined && now - known.checkedAt < KNOWN_FOR_MS) return known.filter;
  const version = await erasuresVersion(meta);
  const filter = known?.version === version ? known.filter : await readFilter(meta, version);
  KNOWN.set(meta, { version, filter, checkedAt: now });
  return filter;
}

/**
 * The ids of erasures that removed facts from a segment and that the store does not have: none for most segments. A
 * process that lacks an erasure reads the store again.
 */
export async function unknownErasures(
  meta: MetaStore,
  { cluster, erased }: Pick<Segment, "cluster" | "erased">,
): Promise<readonly string[]> {
  if (erased === undefined) return [];
  const unknownTo = (filter: ErasureFilter) => erased.by.filter((id) => !filter.knowsId(id, cluster));
  if (unknownTo(await erasuresOf(meta)).length === 0) return [];
  KNOWN.delete(meta);
  return unknownTo(await erasuresOf(meta));
}

async function readFilter(meta: MetaStore, version: number): Promise<ErasureFilter> {
  if (version === 0) return NO_ERASURES;
  return new ErasureFilter((await listErasures(meta)).map(({ erasure }) => erasure));
}
