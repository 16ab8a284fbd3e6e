import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeManifestKey, MANIFESTS, manifestKey, type ManifestName } from "./archive-keys.ts";
import { hourBegin, lastOfDay } from "./archive-hour.ts";
import { decodeManifest, type Manifest, sha256Of } from "./manifest.ts";
import { formatInstant } from "../../job/model/instant.ts";

/** A manifest as it is stored. */
export interface ChainLink {
  readonly name: ManifestName;
  readonly sha256: string;
  readonly manifest: Manifest;
}

/** The names of the manifests, oldest first. */
export async function listChain(store: ObjectStore): Promise<readonly ManifestName[]> {
  const names: ManifestName[] = [];
  for await (const { key } of store.list(MANIFESTS)) {
    const name = decodeManifestKey(key);
    if (name !== undefined) names.push(name);
  }
  return names.sort(compareNames);
}

/**
 * The first link of the chain; `undefined` without manifests. Lists one page. Throws ManifestInvalidError if the chain
 * lost its beginning.
 */
export async function firstLink(store: ObjectStore): Promise<ChainLink | undefined> {
  const name = await firstName(store);
  if (name === undefined) return undefined;
  const link = await readLink(store, name);
  if (link.manifest.previous === "") return link;
  throw new ManifestInvalidError(
    store,
    manifestKey(name),
    "it is the oldest manifest, and names a previous one, which is missing.",
  );
}

async function firstName(store: ObjectStore): Promise<ManifestName | undefined> {
  let first: ManifestName | undefined;
  for await (const { key } of store.list(MANIFESTS)) {
    const name = decodeManifestKey(key);
    if (name === undefined) continue;
    if (first !== undefined) return compareNames(first, name) < 0 ? first : name;
    // The key of a day comes before that of its last hour.
    if (name.kind === "hour") return name;
    first = name;
  }
  return first;
}

/** By hour. The compaction of a day follows its last hour. */
export function compareNames(a: ManifestName, b: ManifestName): number {
  return a.hour - b.hour || Number(a.kind === "day") - Number(b.kind === "day");
}

/** Reads a manifest. Throws ManifestInvalidError if it is missing or not one. */
export async function readLink(store: ObjectStore, name: ManifestName): Promise<ChainLink> {
  const link = await findLink(store, name);
  if (link === undefined) throw new ManifestInvalidError(store, manifestKey(name), "it is missing.");
  return link;
}

/** Reads a manifest, if there is one. Throws ManifestInvalidError. */
export async function findLink(store: ObjectStore, name: ManifestName): Promise<ChainLink | undefined> {
  const key = manifestKey(name);
  const bytes = await store.read(key);
  if (bytes === undefined) return undefined;
  const decoded = decodeManifest(bytes);
  if (decoded.outcome === "rejected") throw new ManifestInvalidError(store, key, decoded.reason);
  const { document: manifest } = decoded;
  if (manifest.kind !== name.kind || manifest.hour !== formatInstant(hourBegin(name.hour))) {
    throw new ManifestInvalidError(store, key, `it is the manifest of ${manifest.hour} (${manifest.kind}).`);
  }
  return { name, sha256: sha256Of(bytes), manifest };
}

/** What follows a link: the next hour, or after the last hour of a day its compaction. */
export function nextName({ kind, hour }: ManifestName): ManifestName {
  return kind === "hour" && hour === lastOfDay(hour) ? { kind: "day", hour } : { kind: "hour", hour: hour + 1 };
}

/** A manifest is missing, damaged or at the wrong place. */
export class ManifestInvalidError extends Error {
  override readonly name = "ManifestInvalidError";

  constructor(store: ObjectStore, key: string, reason: string) {
    super(`Cannot read ${key} of archive ${store.name}: ${reason} Check it with \`outlive archive verify\`.`);
  }
}
