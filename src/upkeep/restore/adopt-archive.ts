import pLimit from "p-limit";
import { manifestKey, type ManifestName } from "../../archive/layout/archive-keys.ts";
import { type ChainLink, listChain, readLink } from "../../archive/layout/chain.ts";
import { sha256Of } from "../../archive/layout/manifest.ts";
import { readArchiveErasures, readCurrentLink } from "../../archive/read/archive-erasures.ts";
import { eraseArchive } from "../../archive/write/erase-archive.ts";
import { findErasedData } from "../../archive/verify/erased-data.ts";
import { ArchiveDamagedError } from "../../archive/read/archived-segments.ts";
import type { ErasureFileName } from "../../log/erasure/erasure-record.ts";
import { listErasures, noteErasureFile, type StoredErasure } from "../../log/erasure/stored-erasures.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ARCHIVE_KEY } from "../../ports/meta-key.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { archiveRecord } from "../../ports/records/archive-record.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { joinedObjects } from "./joined-objects.ts";

export interface Adoption {
  /** The archive that the stage is restored from. */
  readonly from: ObjectStore;
  /** The archive of the stage. It may be the same. */
  readonly to: ObjectStore;
  readonly meta: MetaStore;
}

/** Objects that are copied at the same time. */
const MAX_CONCURRENT = 16;

/**
 * Lets a stage continue an archive: copies it into the stage's own, link by link, and then records that the stage
 * writes it. Until then the stage's archiver refuses the chain as a foreign one, so that it cannot continue half of it.
 * A run that was killed is repeated.
 *
 * The copy has no data of the erasures that the stage knows, also where the archive is older than they are: what
 * remains is written instead, with the records of the erasures. Throws StageArchivedError, ErasedDataArchivedError and
 * ArchiveDamagedError.
 */
export async function adoptArchive({ from, to, meta }: Adoption, onLink: () => void = () => {}): Promise<void> {
  const names = await listChain(from);
  const last = names.at(-1);
  if (last === undefined) return;
  const { archive } = (await readLink(from, last)).manifest;
  const own = (await listChain(to)).at(-1);
  if (own !== undefined && (await readLink(to, own)).manifest.archive !== archive) throw new StageArchivedError(to);
  if (from.name === to.name) await requireErased({ to, meta });
  else await copyArchive({ from, to, meta }, names, onLink);
  await record(meta, archive);
}

async function requireErased({ to, meta }: Omit<Adoption, "from">): Promise<void> {
  const [found] = await erasuresLeft(to, await listErasures(meta));
  if (found !== undefined) throw new ErasedDataArchivedError(to, found);
}

/** Erases before it copies, so that erased data is never written. */
async function copyArchive(
  { from, to, meta }: Adoption,
  names: readonly ManifestName[],
  onLink: () => void,
): Promise<void> {
  const joined = joinedObjects({ from, to });
  const stored = await listErasures(meta);
  // An object may contain data of several erasures, of which only one was found.
  if ((await erasuresLeft(joined, stored)).length > 0) {
    for (const { erasure, record: known } of stored) {
      const noteFile = (file: ErasureFileName) => noteErasureFile(meta, known.id, file);
      await eraseArchive({ store: joined, noteFile }, erasure, known.counts);
    }
  }
  const replaced = await replacedParts(from, names);
  const erasures = await readArchiveErasures(joined);
  for (const { key, sha256 } of erasures.files) {
    await copy({ from: joined, to }, { key, bytes: await required(joined, key), sha256 });
  }
  for (const name of names) {
    await copyLink({ from: joined, to, replaced }, await readCurrentLink(from, name, erasures));
    onLink();
  }
}

/**
 * The ids of erasures whose data manifests of the archive still list. Objects that no manifest lists are not copied.
 */
async function erasuresLeft(archive: ObjectStore, stored: readonly StoredErasure[]): Promise<readonly string[]> {
  const erasures = stored.map(({ erasure }) => erasure);
  const ids = new Set<string>();
  for await (const { erasureId, isListed } of findErasedData(archive, erasures)) if (isListed) ids.add(erasureId);
  return [...ids];
}

/**
 * The parts that compactions replaced. A replica to which deletions are not replicated still has them. In the stage's
 * archive, they would be read twice.
 */
async function replacedParts(from: ObjectStore, names: readonly ManifestName[]): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const name of names.filter(({ kind }) => kind === "day")) {
    for (const key of (await readLink(from, name)).manifest.replaces ?? []) keys.add(key);
  }
  return keys;
}

interface Copying extends Omit<Adoption, "meta"> {
  readonly replaced: ReadonlySet<string>;
}

/** The objects first and the manifest last, as they were written. */
async function copyLink({ from, to, replaced }: Copying, { name, manifest }: ChainLink): Promise<void> {
  const objects = manifest.objects.filter(({ key }) => !replaced.has(key));
  await pLimit(MAX_CONCURRENT).map(objects, async ({ key, sha256 }) => {
    await copy({ from, to }, { key, bytes: await required(from, key), sha256 });
  });
  const key = manifestKey(name);
  const bytes = await required(from, key);
  await copy({ from, to }, { key, bytes, sha256: sha256Of(bytes) });
}

async function required(from: ObjectStore, key: string): Promise<Uint8Array> {
  const bytes = await from.read(key);
  if (bytes === undefined) throw new ArchiveDamagedError(from, key, "it is missing.");
  return bytes;
}

interface Copied {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

async function copy({ from, to }: Omit<Adoption, "meta">, { key, bytes, sha256 }: Copied): Promise<void> {
  if (sha256Of(bytes) !== sha256) throw new ArchiveDamagedError(from, key, "its SHA-256 is not in its manifest.");
  if ((await to.putIfAbsent(key, bytes)) === "stored") return;
  const stored = await to.read(key);
  if (stored === undefined || sha256Of(stored) !== sha256) {
    throw new ArchiveDamagedError(to, key, "it has other bytes than the archive that is restored.");
  }
}

async function record(meta: MetaStore, archive: string): Promise<void> {
  const stored = await readRecord(meta, archiveRecord, ARCHIVE_KEY);
  if (stored?.value.archive === archive) return;
  const expected = stored?.version ?? 0;
  const written = await writeRecord(meta, archiveRecord, { key: ARCHIVE_KEY, value: { archive }, expected });
  // The stage's archiver has written its first record in the meantime, and that version must be replaced.
  if (written.outcome === "conflict") await record(meta, archive);
}

/** The archive of the stage itself has data of an erasure. A restore does not delete from it. */
export class ErasedDataArchivedError extends Error {
  override readonly name = "ErasedDataArchivedError";

  constructor(to: ObjectStore, id: string) {
    super(
      `Archive ${to.name} has data that erasure ${id} of the stage removed: it was restored from an older copy. ` +
        "Repeat the erasure, or restore with --no-adopt.",
    );
  }
}

/** The stage has archived hours of its own, which cannot follow those of another archive. */
export class StageArchivedError extends Error {
  override readonly name = "StageArchivedError";

  constructor(to: ObjectStore) {
    super(
      `The stage has begun an archive of its own in ${to.name}. Restore into a new stage, or restore only the log ` +
        "with --no-adopt: the archive then stays where it is, and the stage continues its own.",
    );
  }
}
