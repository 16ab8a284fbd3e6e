import { deflateRawSync, inflateRawSync } from "node:zlib";
import { canonical } from "../../job/model/canonical.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { decodeIndexBag, encodeIndexBag } from "./index-bag-bytes.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Encodes a tally: index bags with {@link encodeIndexBag}, everything else as compressed JSON. */
export function encodeTally(tally: PodTally): Uint8Array {
  const {
    completed,
    completedBefore,
    failedIndexes,
    completedOff,
    completedAsked,
    activeIndexes,
    failedOn,
    ...counts
  } = tally;
  return new VarintWriter()
    .block(deflateRawSync(canonical(counts)))
    .block(encodeIndexBag(completed))
    .block(encodeIndexBag(completedBefore))
    .block(encodeIndexBag(failedIndexes))
    .block(encodeIndexBag(completedOff))
    .block(encodeIndexBag(completedAsked))
    .block(encodeIndexBag(activeIndexes))
    .block(encodeIndexBag(failedOn))
    .finish();
}

/** The inverse of {@link encodeTally}. */
export function decodeTally(bytes: Uint8Array): PodTally {
  const reader = new VarintReader(bytes);
  const counts: unknown = JSON.parse(inflateRawSync(reader.block()).toString());
  if (!isCounts(counts)) throw new TypeError("The counts of a tally have no outcomes or ledgers.");
  return {
    ...counts,
    completed: decodeIndexBag(reader.block()),
    completedBefore: decodeIndexBag(reader.block()),
    failedIndexes: decodeIndexBag(reader.block()),
    completedOff: decodeIndexBag(reader.block()),
    completedAsked: decodeIndexBag(reader.block()),
    activeIndexes: decodeIndexBag(reader.block()),
    failedOn: decodeIndexBag(reader.block()),
  };
}

type Counts = Omit<
  PodTally,
  "completed" | "completedBefore" | "failedIndexes" | "completedOff" | "completedAsked" | "activeIndexes" | "failedOn"
>;

function isCounts(value: unknown): value is Counts {
  return typeof value === "object" && value !== null && "outcomes" in value && "ledgers" in value;
}
