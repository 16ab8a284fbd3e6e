import * as v from "valibot";
import {
  type ErasureCounts,
  erasureCountsSchema,
  type ErasureScope,
  erasureScopeEntries,
} from "../../log/erasure/erasure-record.ts";
import type { ManifestName } from "./archive-keys.ts";
import { decodeDocument, type DecodedDocument, encodeDocument } from "./json-document.ts";
import { type ArchivedObject, archivedObjectSchema } from "./manifest.ts";

/** The objects that record erasures. The manifest of the next hour lists them. */
export const ERASURES = "erasures/";

/** What an erasure did to one object. */
export interface ErasedObject {
  readonly key: string;
  /** SHA-256 of the object before this erasure, as its manifest or an earlier erasure states it. */
  readonly sha256: string;
  /** What remains; absent if nothing does. */
  readonly remains?: ArchivedObject;
}

/**
 * `erasures/<id>.json`: what was erased from an archive, without the names in clear. A later run of the same erasure,
 * which found more, writes `erasures/<id>-<n>.json`.
 */
export interface ErasureFile {
  readonly version: 1;
  readonly erasure: ErasureScope;
  readonly counts: ErasureCounts;
  /** Salted hashes of the uids of Jobs and of the names of Pods, one after the other. */
  readonly hashes: string;
  readonly objects: readonly ErasedObject[];
  /** The last link when the file was written. The next manifest of an hour, or the one after it, lists it. */
  readonly after: ManifestName;
}

const erasureFileSchema: v.GenericSchema<unknown, ErasureFile> = v.looseObject({
  version: v.literal(1),
  erasure: v.looseObject(erasureScopeEntries),
  counts: erasureCountsSchema,
  hashes: v.string(),
  objects: v.array(
    v.looseObject({
      key: v.pipe(v.string(), v.regex(/^(segments|jobs|runs|attempts|facts)\//)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      remains: v.exactOptional(archivedObjectSchema),
    }),
  ),
  after: v.looseObject({ kind: v.picklist(["hour", "day"]), hour: v.pipe(v.number(), v.safeInteger()) }),
});

export function erasureKey(id: string, run: number): string {
  return `${ERASURES}${id}${run === 0 ? "" : `-${run}`}.json`;
}

export function encodeErasureFile(file: ErasureFile): Uint8Array {
  return encodeDocument(file);
}

export function decodeErasureFile(bytes: Uint8Array): DecodedDocument<ErasureFile> {
  return decodeDocument(erasureFileSchema, bytes);
}
