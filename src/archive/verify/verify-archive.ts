import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { type ArchiveHour, hourPath, hourText, lastOfDay } from "../layout/archive-hour.ts";
import { DATA_FOLDERS, manifestKey, type ManifestName, partitionOfKey } from "../layout/archive-keys.ts";
import { type ChainLink, compareNames, listChain, ManifestInvalidError, nextName, readLink } from "../layout/chain.ts";
import { decodeErasureFile, ERASURES } from "../layout/erasure-file.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import { merkleRoot, merkleTree } from "../layout/merkle.ts";
import { decodeSegmentFile, factLeaf } from "../layout/segment-file.ts";
import { erasuresIn, findErasedData } from "./erased-data.ts";
import { type ArchiveErasures, listedErasures, readArchiveErasures } from "../read/archive-erasures.ts";
import { countRows, PartUnreadableError } from "../parquet/read-part.ts";

/** What is wrong with an object of an archive. */
export interface ArchiveProblem {
  readonly key: string;
  readonly problem:
    | "missing"
    | "changed"
    /** A manifest that is not one, or is at the wrong place. */
    | "invalid"
    /** A manifest that does not follow from the one before it. */
    | "broken chain"
    /** A manifest of another stage. */
    | "foreign"
    /** An object that no manifest has. */
    | "unlisted"
    /** An object that still has data of a recorded erasure. */
    | "erased";
  /** A sentence for display. */
  readonly reason: string;
}

export interface VerifiedArchive {
  readonly hours: number;
  readonly objects: number;
  readonly problems: readonly ArchiveProblem[];
  /** Objects of manifests that were erased, in part or whole, by recorded erasures. They are no problems. */
  readonly erased: readonly ErasedProof[];
  /** SHA-256 of the last manifest. */
  readonly head?: string;
}

/** An object of a manifest, and the records of the erasures that replaced or removed it. */
export interface ErasedProof {
  readonly key: string;
  readonly by: readonly string[];
  /** The object that has what remains; absent if nothing does. */
  readonly now?: string;
}

export interface VerifyArchiveOptions {
  /** The head that an earlier run printed: it must still be in the chain. */
  readonly head?: string;
  readonly onLink?: (name: ManifestName) => void;
}

/** Checks the chain of manifests and every object that they vouch for. Reads the whole archive. */
export async function verifyArchive(store: ObjectStore, options: VerifyArchiveOptions = {}): Promise<VerifiedArchive> {
  const check = new ArchiveCheck(store, { erasures: await readArchiveErasures(store) });
  const names = await listChain(store);
  for (const name of names) {
    options.onLink?.(name);
    await check.link(name);
  }
  await check.unlisted(names.at(-1));
  check.unlistedErasures(names);
  await check.erasedData();
  if (options.head !== undefined) check.contains(options.head);
  return check.result();
}

/** A link that was verified before. */
export interface VerifiedLink {
  readonly name: ManifestName;
  readonly sha256: string;
}

export interface CheckedLink {
  readonly link: VerifiedLink;
  /** If there are none, the archive is complete up to this link. */
  readonly problems: readonly ArchiveProblem[];
}

/**
 * Checks the links that follow one that was verified before, and their objects, link by link up to the first with
 * problems. Objects that no manifest has are not looked for.
 *
 * Only erasures that these links list explain a missing object: a program that can write to the archive could claim
 * one. The check stops before a link that needs an erasure which is not listed yet; the next manifests list it.
 */
export async function* verifyOnward(store: ObjectStore, after?: VerifiedLink): AsyncGenerator<CheckedLink> {
  const names = await listChain(store);
  if (after !== undefined && !names.some((name) => compareNames(name, after.name) === 0)) {
    const reason = "It was verified before, and is no longer in the archive.";
    yield { link: after, problems: [{ key: manifestKey(after.name), problem: "missing", reason }] };
    return;
  }
  const due = names.filter((one) => after === undefined || compareNames(one, after.name) > 0);
  const all = await readArchiveErasures(store);
  const check = new ArchiveCheck(store, { erasures: await listedErasures(store, all, due), ...(after && { after }) });
  let last = after;
  for (const name of due) {
    await check.link(name);
    const { problems, head = "" } = check.result();
    if (problems.length > 0 && (await isWhole(store, name, { erasures: all, after: last }))) return;
    last = { name, sha256: head };
    yield { link: last, problems };
    if (problems.length > 0) return;
  }
}

interface CheckedFrom {
  readonly erasures: ArchiveErasures;
  readonly after: VerifiedLink | undefined;
}

/** Whether a link has no problems, provided that these erasures are genuine. */
async function isWhole(store: ObjectStore, name: ManifestName, { erasures, after }: CheckedFrom): Promise<boolean> {
  const check = new ArchiveCheck(store, { erasures, ...(after && { after }) });
  await check.link(name);
  return check.result().problems.length === 0;
}

class ArchiveCheck {
  readonly #store: ObjectStore;
  readonly #problems: ArchiveProblem[] = [];
  readonly #heads = new Set<string>();
  readonly #listed = new Set<string>();
  #replaced: ReadonlySet<string> = new Set();
  /** The last hour of the day whose replaced parts are known. */
  #day: ArchiveHour | undefined;
  #archive: string | undefined;
  #last: { readonly name: ManifestName; readonly sha256?: string } | undefined;
  readonly #erasures: ArchiveErasures;
  readonly #erased: ErasedProof[] = [];
  #hours = 0;
  #objects = 0;

  constructor(
    store: ObjectStore,
    { erasures, after }: { readonly erasures: ArchiveErasures; readonly after?: VerifiedLink },
  ) {
    this.#store = store;
    this.#erasures = erasures;
    this.#last = after;
  }

  result(): VerifiedArchive {
    const head = this.#last?.sha256;
    return {
      hours: this.#hours,
      objects: this.#objects,
      problems: this.#problems,
      erased: this.#erased,
      ...(head !== undefined && { head }),
    };
  }

  async link(name: ManifestName): Promise<void> {
    this.#checkPlace(name);
    const link = await this.#read(name);
    if (link !== undefined) {
      this.#checkLink(link);
      if (name.kind === "hour") this.#hours += 1;
      await this.#readReplaced(name);
      for (const object of link.manifest.objects) await this.#objectNow(object);
    }
    this.#last = { name, ...(link !== undefined && { sha256: link.sha256 }) };
  }

  /** Objects that no manifest has: a forged part would be read with the others. */
  async unlisted(last: ManifestName | undefined): Promise<void> {
    for (const folder of DATA_FOLDERS) {
      for await (const { key } of this.#store.list(folder)) {
        if (this.#listed.has(key) || isUnfinished(key, last)) continue;
        this.#found(key, "unlisted", "No manifest has it. A run that crashed may have left it, or it was added.");
      }
    }
  }

  /** The manifest of the hour in which an erasure ends lists its record, or the one after it. */
  unlistedErasures(names: readonly ManifestName[]): void {
    for (const { key, file } of this.#erasures.files) {
      const later = names.filter((name) => name.kind === "hour" && compareNames(name, file.after) > 0);
      if (this.#listed.has(key) || later.length < LISTED_WITHIN) continue;
      this.#found(key, "unlisted", "No manifest has this record of an erasure: it was added, or the archive was.");
    }
  }

  /** An archiver that was killed during an erasure leaves such objects. They are looked for in a whole archive only. */
  async erasedData(): Promise<void> {
    if (this.#problems.length > 0) return;
    for await (const { key, erasureId } of findErasedData(this.#store, erasuresIn(this.#erasures))) {
      this.#found(key, "erased", `It has data of erasure ${erasureId}. Remove it with "outlive erase --apply".`);
    }
  }

  contains(head: string): void {
    if (this.#heads.has(head)) return;
    this.#found(
      "manifest/",
      "missing",
      `No manifest has the SHA-256 ${head}. The end of the chain was removed or changed.`,
    );
  }

  /** Every hour has a manifest, also one without segments. */
  #checkPlace(name: ManifestName): void {
    if (this.#last === undefined) return;
    for (let due = nextName(this.#last.name); due.hour < name.hour || isBefore(due, name); due = nextName(due)) {
      this.#found(manifestKey(due), "missing", "The chain has manifests before and after it.");
    }
  }

  async #read(name: ManifestName): Promise<ChainLink | undefined> {
    try {
      return await readLink(this.#store, name);
    } catch (cause) {
      if (!(cause instanceof ManifestInvalidError)) throw cause;
      this.#found(manifestKey(name), "invalid", cause.message);
      return undefined;
    }
  }

  #checkLink({ name, sha256, manifest }: ChainLink): void {
    const key = manifestKey(name);
    this.#heads.add(sha256);
    this.#archive ??= manifest.archive;
    if (manifest.archive !== this.#archive) {
      this.#found(key, "foreign", `It belongs to archive ${manifest.archive}, not to ${this.#archive}.`);
    }
    const previous = this.#last === undefined ? "" : this.#last.sha256;
    if (previous === undefined || manifest.previous === previous) return;
    const reason =
      this.#last === undefined
        ? "It is not the first of its chain: earlier manifests are missing."
        : `It follows SHA-256 ${manifest.previous}, but ${manifestKey(this.#last.name)} has ${previous}.`;
    this.#found(key, "broken chain", reason);
  }

  /** Learns which parts the compaction of this hour's day replaced. It comes later in the chain. */
  async #readReplaced({ hour }: ManifestName): Promise<void> {
    const last = lastOfDay(hour);
    if (last === this.#day) return;
    this.#day = last;
    const day: ManifestName = { kind: "day", hour: last };
    this.#replaced = new Set();
    if ((await this.#store.read(manifestKey(day))) === undefined) return;
    try {
      this.#replaced = new Set((await readLink(this.#store, day)).manifest.replaces);
    } catch (cause) {
      if (!(cause instanceof ManifestInvalidError)) throw cause;
    }
  }

  /** An object that was erased is where the record of the erasure says. */
  async #objectNow(object: ArchivedObject): Promise<void> {
    this.#listed.add(object.key);
    const now = this.#erasures.now(object);
    if (now.outcome === "unchanged") return this.#object(object);
    this.#erased.push({ key: object.key, by: now.by, ...(now.object && { now: now.object.key }) });
    if (now.object?.key !== object.key && (await this.#store.read(object.key, FIRST_BYTE)) !== undefined) {
      this.#found(object.key, "unlisted", `${now.by.join(", ")} erased it. Repeat \`outlive erase\` to delete it.`);
    }
    if (now.object !== undefined) await this.#object(now.object);
  }

  async #object(object: ArchivedObject): Promise<void> {
    this.#listed.add(object.key);
    // One byte more than there may be shows that it is longer, however long it is.
    const bytes = await this.#store.read(object.key, { start: 0, end: object.bytes + 1 });
    if (bytes === undefined) {
      if (!this.#replaced.has(object.key)) this.#found(object.key, "missing", "A manifest has it.");
      return;
    }
    this.#objects += 1;
    const problem = bytesProblem(object, bytes) ?? (await contentProblem(this.#store, object, bytes));
    if (problem !== undefined) this.#found(object.key, "changed", problem);
  }

  #found(key: string, problem: ArchiveProblem["problem"], reason: string): void {
    this.#problems.push({ key, problem, reason });
  }
}

function isBefore(a: ManifestName, b: ManifestName): boolean {
  return a.hour === b.hour && a.kind === "hour" && b.kind === "day";
}

/** Whether an object may belong to the next link, which is not complete yet. */
function isUnfinished(key: string, last: ManifestName | undefined): boolean {
  if (last === undefined) return true;
  const { kind, hour } = nextName(last);
  if (key.startsWith("segments/")) return key.startsWith(`segments/${hourPath(hour)}/`);
  return kind === "hour" ? key.includes(`-h${hourText(hour)}`) : !key.includes("-h");
}

/**
 * The number of hourly manifests within which an erasure must be listed. It is two, because a run of the archiver may
 * have begun before the erasure.
 */
const LISTED_WITHIN = 2;

const FIRST_BYTE = { start: 0, end: 1 };

/** `bytes` has at most one byte more than the manifest says. */
function bytesProblem(object: ArchivedObject, bytes: Uint8Array): string | undefined {
  if (bytes.length > object.bytes) return `It has more than ${object.bytes} bytes, which its manifest says it has.`;
  const sha256 = sha256Of(bytes);
  if (sha256 === object.sha256) return undefined;
  return `Its SHA-256 is ${sha256} (${bytes.length} bytes), not ${object.sha256} (${object.bytes} bytes).`;
}

/** Checks what a manifest says about an object besides its hash. A forged manifest could have the right hash. */
async function contentProblem(
  store: ObjectStore,
  { key, bytes: size, rows, factsRoot }: ArchivedObject,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (key.startsWith(ERASURES)) return erasureProblem(bytes);
  if (partitionOfKey(key) === undefined) return segmentProblem(bytes, { rows, factsRoot });
  try {
    const found = await countRows({ store, key, bytes: size });
    return found === rows ? undefined : `It has ${found} rows, and its manifest says ${rows}.`;
  } catch (cause) {
    if (cause instanceof PartUnreadableError) return cause.message;
    throw cause;
  }
}

function erasureProblem(bytes: Uint8Array): string | undefined {
  const decoded = decodeErasureFile(bytes);
  return decoded.outcome === "rejected" ? decoded.reason : undefined;
}

function segmentProblem(
  bytes: Uint8Array,
  { rows, factsRoot }: { readonly rows: number; readonly factsRoot: string | undefined },
): string | undefined {
  const file = decodeSegmentFile(bytes);
  if (file.outcome === "rejected") return file.reason;
  if (file.segments.length !== rows) return `It has ${file.segments.length} segments, and its manifest says ${rows}.`;
  const leaves = file.segments.flatMap((segment) => {
    const decoded = decodeSegment(segment.bytes);
    return decoded.outcome === "decoded" ? decoded.segment.facts.map((fact) => factLeaf(decoded.sha256, fact)) : [];
  });
  const root = merkleRoot(merkleTree(leaves)).toString("hex");
  return root === factsRoot ? undefined : "Its facts do not give the factsRoot of its manifest.";
}
