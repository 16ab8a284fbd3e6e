import { createHash } from "node:crypto";
import * as v from "valibot";
import { isObjectKey } from "../../ports/object-key.ts";
import { isHourPart } from "./archive-keys.ts";
import { decodeDocument, type DecodedDocument, encodeDocument } from "./json-document.ts";

/** An object that a manifest vouches for. */
export interface ArchivedObject {
  readonly key: string;
  /** SHA-256 of the object's bytes, lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Rows of a Parquet part, segments of a segment file. */
  readonly rows: number;
  /** Only of segment files: the cluster, and the root of the tree over all facts of the file (merkle.ts). */
  readonly cluster?: string;
  readonly factsRoot?: string;
}

/** One link of the chain. Its bytes are canonical JSON, and the next manifest has their SHA-256. */
export interface Manifest {
  readonly version: 1;
  /** The id of the archive. The chain of another stage has another id. */
  readonly archive: string;
  /** The begin of the hour, RFC 3339 in UTC; for a compaction, of the last hour of the day. */
  readonly hour: string;
  readonly kind: "hour" | "day";
  /** SHA-256 of the previous manifest's bytes; "" for the first one. */
  readonly previous: string;
  readonly objects: readonly ArchivedObject[];
  /** Only of a compaction: the keys of parts that its objects replace. They are deleted. */
  readonly replaces?: readonly string[];
  readonly counts: ManifestCounts;
}

export interface ManifestCounts {
  readonly segments: number;
  readonly facts: number;
  readonly jobs: number;
  readonly attempts: number;
}

/** The counts of a manifest with these objects. Every fact is one row of `facts`. */
export function countRows(objects: readonly ArchivedObject[]): ManifestCounts {
  const rows = (folder: string): number => rowsIn(objects, folder);
  return { segments: rows("segments"), facts: rows("facts"), jobs: rows("jobs"), attempts: rows("attempts") };
}

/** The rows of the objects in a folder, also of one that is not counted in the manifest: `runs`. */
export function rowsIn(objects: readonly ArchivedObject[], folder: string): number {
  return objects.filter(({ key }) => key.startsWith(`${folder}/`)).reduce((sum, { rows }) => sum + rows, 0);
}

const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "a SHA-256 has 64 hexadecimal digits"));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A forged manifest must not name files outside of the archive. */
const objectKey = v.pipe(v.string(), v.check(isObjectKey, "it is not the key of an object"));
/** A compaction may only name parts of single hours, because the parts that it names are deleted. */
const replacedKey = v.pipe(objectKey, v.check(isHourPart, "it is not a part of one hour"));

/** An object as a manifest or an erasure names it. */
export const archivedObjectSchema: v.GenericSchema<unknown, ArchivedObject> = v.looseObject({
  key: objectKey,
  sha256,
  bytes: whole,
  rows: whole,
  cluster: v.exactOptional(v.string()),
  factsRoot: v.exactOptional(sha256),
});

const manifestSchema: v.GenericSchema<unknown, Manifest> = v.looseObject({
  version: v.literal(1),
  archive: v.string(),
  hour: v.string(),
  kind: v.picklist(["hour", "day"]),
  previous: v.union([v.literal(""), sha256]),
  objects: v.array(archivedObjectSchema),
  replaces: v.exactOptional(v.array(replacedKey)),
  counts: v.looseObject({ segments: whole, facts: whole, jobs: whole, attempts: whole }),
});

export function encodeManifest(manifest: Manifest): Uint8Array {
  return encodeDocument(manifest);
}

export function decodeManifest(bytes: Uint8Array): DecodedDocument<Manifest> {
  return decodeDocument(manifestSchema, bytes);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
