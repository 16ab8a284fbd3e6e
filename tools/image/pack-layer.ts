import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packTar, type TarHeader } from "modern-tar";
import { type Blob, blobOf, digestOf } from "./blob.ts";

/** What a layer contains. Paths have no slash at the beginning; folders above them need no entry. */
export type LayerEntry =
  | { readonly type: "file"; readonly path: string; readonly bytes: Uint8Array; readonly executable?: boolean }
  | { readonly type: "link"; readonly path: string; readonly target: string }
  | { readonly type: "folder"; readonly path: string; readonly mode: number; readonly owner: number };

export interface Layer {
  readonly blob: Blob;
  /** The digest before compression, which the configuration of an image lists. */
  readonly diffId: string;
}

interface LayerOptions {
  /** The time of every file. */
  readonly modifiedAt: Date;
  readonly gzipLevel: number;
}

/** Packs a layer: the same entries in any order give the same bytes. Everything but owned folders belongs to root. */
export async function packLayer(
  entries: readonly LayerEntry[],
  { modifiedAt, gzipLevel }: LayerOptions,
): Promise<Layer> {
  const all = withFoldersAbove(entries).toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const packed = all.map((entry) => ({
    header: { ...headerOf(entry), mtime: modifiedAt },
    ...(entry.type === "file" && { body: entry.bytes }),
  }));
  const tar = await packTar(packed);
  const zipped = await promisify(gzip)(tar, { level: gzipLevel });
  return { blob: blobOf("application/vnd.oci.image.layer.v1.tar+gzip", zipped), diffId: digestOf(tar) };
}

function withFoldersAbove(entries: readonly LayerEntry[]): readonly LayerEntry[] {
  const byPath = new Map<string, LayerEntry>();
  for (const { path } of entries) {
    for (const above of foldersAbove(path)) byPath.set(above, { type: "folder", path: above, mode: 0o755, owner: 0 });
  }
  for (const entry of entries) byPath.set(entry.path, entry);
  return [...byPath.values()];
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function headerOf(entry: LayerEntry): TarHeader {
  switch (entry.type) {
    case "file": {
      const mode = entry.executable === true ? 0o755 : 0o644;
      return { name: entry.path, type: "file", size: entry.bytes.length, mode, uid: 0, gid: 0 };
    }
    case "link":
      return { name: entry.path, type: "symlink", size: 0, linkname: entry.target, mode: 0o777, uid: 0, gid: 0 };
    case "folder": {
      const { path, mode, owner } = entry;
      return { name: `${path}/`, type: "directory", size: 0, mode, uid: owner, gid: owner };
    }
  }
}
