import type { ObjectStore } from "../../ports/object-store.ts";
import { type ChainLink, findLink, ManifestInvalidError, readLink } from "../layout/chain.ts";
import type { ManifestName } from "../layout/archive-keys.ts";
import { decodeErasureFile, type ErasedObject, ERASURES, type ErasureFile } from "../layout/erasure-file.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";

/** A record of an erasure as the archive has it. */
export interface StoredErasureFile {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly file: ErasureFile;
}

/** Where an object of a manifest is now. */
export type CurrentObject =
  | { readonly outcome: "unchanged"; readonly object: ArchivedObject }
  /** `by` are the keys of the erasures, first to last. Without `object`, nothing of it remains. */
  | { readonly outcome: "erased"; readonly by: readonly string[]; readonly object?: ArchivedObject };

/** What was erased from an archive since its manifests were written: they never change. */
export class ArchiveErasures {
  readonly files: readonly StoredErasureFile[];
  readonly #objects = new Map<string, { readonly by: string; readonly erased: ErasedObject }>();

  constructor(files: readonly StoredErasureFile[]) {
    this.files = files;
    for (const { key, file } of files) {
      for (const erased of file.objects) this.#objects.set(nameOf(erased), { by: key, erased });
    }
  }

  /** The current form of an object that a manifest lists. */
  now(object: ArchivedObject): CurrentObject {
    const by: string[] = [];
    let current: ArchivedObject | undefined = object;
    // The loop ends: an erasure replaces an object by one with another hash.
    for (let next = this.#objects.get(nameOf(object)); next !== undefined && by.length < this.#objects.size;) {
      by.push(next.by);
      current = next.erased.remains;
      next = current && this.#objects.get(nameOf(current));
    }
    if (by.length === 0) return { outcome: "unchanged", object };
    return { outcome: "erased", by, ...(current && { object: current }) };
  }

  /** The current objects of a link, without those that were completely erased. */
  objectsOf({ manifest }: Pick<ChainLink, "manifest">): readonly ArchivedObject[] {
    return manifest.objects.flatMap((object) => this.now(object).object ?? []);
  }
}

function nameOf({ key, sha256 }: { readonly key: string; readonly sha256: string }): string {
  return `${sha256} ${key}`;
}

/** Reads all erasures of an archive. Throws ErasureFileInvalidError. */
export async function readArchiveErasures(store: ObjectStore): Promise<ArchiveErasures> {
  const files: StoredErasureFile[] = [];
  for await (const { key } of store.list(ERASURES)) {
    const bytes = await store.read(key);
    if (bytes === undefined) continue;
    const decoded = decodeErasureFile(bytes);
    if (decoded.outcome === "rejected") throw new ErasureFileInvalidError(store, key, decoded.reason);
    files.push({ key, sha256: sha256Of(bytes), bytes: bytes.length, file: decoded.document });
  }
  return new ArchiveErasures(files);
}

/**
 * The erasures that manifests list, if the archive has their files with the same bytes. Unreadable manifests list none.
 */
export async function listedErasures(
  store: ObjectStore,
  { files }: ArchiveErasures,
  names: readonly ManifestName[],
): Promise<ArchiveErasures> {
  if (files.length === 0) return new ArchiveErasures([]);
  const listed = new Map<string, string>();
  for (const name of names) {
    for (const { key, sha256 } of await objectsListed(store, name)) listed.set(key, sha256);
  }
  return new ArchiveErasures(files.filter(({ key, sha256 }) => listed.get(key) === sha256));
}

async function objectsListed(store: ObjectStore, name: ManifestName): Promise<readonly ArchivedObject[]> {
  try {
    return (await findLink(store, name))?.manifest.objects ?? [];
  } catch (cause) {
    if (cause instanceof ManifestInvalidError) return [];
    throw cause;
  }
}

/** A link, with its objects as they are after all erasures. */
export async function readCurrentLink(
  store: ObjectStore,
  name: ManifestName,
  erasures: ArchiveErasures,
): Promise<ChainLink> {
  const link = await readLink(store, name);
  return { ...link, manifest: { ...link.manifest, objects: erasures.objectsOf(link) } };
}

/** A record of an erasure is damaged. */
export class ErasureFileInvalidError extends Error {
  override readonly name = "ErasureFileInvalidError";

  constructor(store: ObjectStore, key: string, reason: string) {
    super(
      `Cannot read ${key} of archive ${store.name}: ${reason} It says what was erased. Restore it from a copy of the ` +
        "archive, and check it with `outlive archive verify`.",
    );
  }
}
