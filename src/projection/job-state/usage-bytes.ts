import { HOUR_MILLIS, type Instant } from "../../job/model/instant.ts";
import {
  addToResource,
  addToSums,
  type GrowingUsage,
  type HourlyUsage,
  newUsage,
  type SumClass,
  type Usage,
} from "../../job/usage/usage.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Names that take one byte. The position of a name never changes; more may follow. */
const USUAL_RESOURCES = ["cpu", "memory", "ephemeral-storage", "nvidia.com/gpu"];
/** The position of a class never changes; more may follow. */
const CLASSES = [
  "startUp",
  "idle",
  "active",
  "kept",
  "duplicate",
  "failed",
  "interrupted",
  "cancelled",
  "unknown",
  "failedByConfiguration",
  "failedByLimit",
] as const satisfies readonly SumClass[];
/** Nano-units of the scales in which a request is stored. */
const SCALES = [1n, 1_000_000n, 1_000_000_000n];

/**
 * What the Pods of a Job reserved, by hour: about 30 bytes for a Job of one Pod. Usually all Pods reserve the same for
 * all of their time: then a resource is stored as its request, otherwise as an amount for each hour and class.
 */
export function encodeUsage(hours: HourlyUsage): Uint8Array {
  const sorted = [...hours].sort(([a], [b]) => a - b);
  const writer = new VarintWriter();
  const resources = [...new Set(sorted.flatMap(([, { resources }]) => [...resources.keys()]))].sort();
  const requests = new Map(resources.map((resource) => [resource, requestOf(sorted, resource)]));
  writer.unsigned(resources.length);
  for (const [resource, request] of requests) writeResource(writer, resource, request);
  const amounts = resources.filter((resource) => requests.get(resource) === undefined);
  let before = 0;
  for (const [hour, usage] of sorted) {
    writer.unsigned(hour / HOUR_MILLIS - before).unsigned(usage.pods * 2 + (usage.isAtMost ? 1 : 0));
    before = hour / HOUR_MILLIS;
    writeClasses(writer, usage, amounts);
  }
  return writer.finish();
}

/** The inverse of {@link encodeUsage}. Throws RangeError where the bytes are damaged. */
export function decodeUsage(bytes: Uint8Array): HourlyUsage {
  const reader = new VarintReader(bytes);
  const resources = Array.from({ length: reader.unsigned() }, () => readResource(reader));
  const hours = new Map<Instant, Usage>();
  let hour = 0;
  while (!reader.isAtEnd) {
    hour += reader.unsigned();
    hours.set(hour * HOUR_MILLIS, readClasses(reader, resources));
  }
  return hours;
}

/** The request of all Pods; `undefined` if they differ. */
function requestOf(hours: readonly (readonly [Instant, Usage])[], resource: string): bigint | undefined {
  let request: bigint | undefined;
  for (const [, { podTime, resources }] of hours) {
    const sums = resources.get(resource);
    for (const [of, millis] of podTime) {
      if (millis === 0n) continue;
      request ??= (sums?.get(of) ?? 0n) / millis;
      if ((sums?.get(of) ?? 0n) !== request * millis) return undefined;
    }
  }
  return request;
}

function writeResource(writer: VarintWriter, resource: string, request: bigint | undefined): void {
  const usual = USUAL_RESOURCES.indexOf(resource);
  writer.unsigned(usual + 1);
  if (usual === -1) writer.text(resource);
  const scale = SCALES.findLastIndex((unit) => request !== undefined && request % unit === 0n);
  writer.unsigned(scale + 1);
  if (request !== undefined) writeAmount(writer, request / (SCALES[scale] ?? 1n));
}

interface StoredResource {
  readonly resource: string;
  /** Unset if the amounts are stored. */
  readonly request?: bigint;
}

function readResource(reader: VarintReader): StoredResource {
  const usual = reader.unsigned();
  const resource = usual === 0 ? reader.text() : (USUAL_RESOURCES[usual - 1] ?? damaged("resource", usual));
  const scale = reader.unsigned();
  if (scale === 0) return { resource };
  return { resource, request: readAmount(reader) * (SCALES[scale - 1] ?? damaged("scale", scale)) };
}

function writeClasses(writer: VarintWriter, { podTime, resources }: Usage, amounts: readonly string[]): void {
  const classes = CLASSES.filter((of) => (podTime.get(of) ?? 0n) !== 0n);
  writer.unsigned(classes.length);
  for (const of of classes) {
    writer.unsigned(CLASSES.indexOf(of));
    writeAmount(writer, podTime.get(of) ?? 0n);
    for (const resource of amounts) writeAmount(writer, resources.get(resource)?.get(of) ?? 0n);
  }
}

function readClasses(reader: VarintReader, stored: readonly StoredResource[]): Usage {
  const usage: GrowingUsage = newUsage();
  const pods = reader.unsigned();
  usage.pods = Math.floor(pods / 2);
  usage.isAtMost = pods % 2 === 1;
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    const at = reader.unsigned();
    const of = CLASSES[at] ?? damaged("class", at);
    const millis = readAmount(reader);
    addToSums(usage.podTime, of, millis);
    for (const { resource, request } of stored) {
      const amount = request === undefined ? readAmount(reader) : request * millis;
      addToResource(usage, resource, { of, amount });
    }
  }
  return usage;
}

/** A number of any size: in parts of 48 bits, each of which says whether another one follows. */
function writeAmount(writer: VarintWriter, amount: bigint): void {
  const low = amount & LOW_BITS;
  const rest = amount >> 48n;
  writer.unsigned(Number(low) * 2 + (rest === 0n ? 0 : 1));
  if (rest !== 0n) writeAmount(writer, rest);
}

const LOW_BITS = (1n << 48n) - 1n;

function readAmount(reader: VarintReader): bigint {
  const read = reader.unsigned();
  const low = BigInt(Math.floor(read / 2));
  return read % 2 === 0 ? low : low + (readAmount(reader) << 48n);
}

function damaged(what: string, found: number): never {
  throw new RangeError(
    `What a Job reserved is stored with ${what} ${found}, which this version does not know. ` +
      "Update Outlive, or rebuild the projection with `outlive replay`.",
  );
}
