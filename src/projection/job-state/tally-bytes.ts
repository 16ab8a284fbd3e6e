import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CountedPod, PodTally } from "../../job/accounting/pod-tally.ts";
import { canonical } from "../../job/model/canonical.ts";
import { decodeIndexBag, encodeIndexBag } from "./index-bag-bytes.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

/** Encodes a tally: index bags with {@link encodeIndexBag}, everything else as compressed JSON. */
export function encodeTally(tally: PodTally): Uint8Array {
  return new VarintWriter()
    .block(deflateRawSync(canonical(toStored(tally))))
    .block(encodeIndexBag(tally.completed))
    .block(encodeIndexBag(tally.completedBefore))
    .block(encodeIndexBag(tally.failedIndexes))
    .block(encodeIndexBag(tally.completedFinalizerOff))
    .block(encodeIndexBag(tally.completedAfterDeletion))
    .block(encodeIndexBag(tally.activeIndexes))
    .block(encodeIndexBag(tally.failedWithFinalizer))
    .finish();
}

/** The inverse of {@link encodeTally}. */
export function decodeTally(bytes: Uint8Array): PodTally {
  const reader = new VarintReader(bytes);
  const counts: unknown = JSON.parse(inflateRawSync(reader.block()).toString());
  if (!isCounts(counts)) {
    throw new TypeError(
      "The Pod counts of a stored Job state have no outcomes or ledgers. Rebuild them with `outlive replay`.",
    );
  }
  return {
    ...fromStored(counts),
    completed: decodeIndexBag(reader.block()),
    completedBefore: decodeIndexBag(reader.block()),
    failedIndexes: decodeIndexBag(reader.block()),
    completedFinalizerOff: decodeIndexBag(reader.block()),
    completedAfterDeletion: decodeIndexBag(reader.block()),
    activeIndexes: decodeIndexBag(reader.block()),
    failedWithFinalizer: decodeIndexBag(reader.block()),
  };
}

type Bags =
  | "completed"
  | "completedBefore"
  | "failedIndexes"
  | "completedFinalizerOff"
  | "completedAfterDeletion"
  | "activeIndexes"
  | "failedWithFinalizer";
type Counts = Omit<PodTally, Bags>;
type Renamed = "finalizerOff" | "succeededAfterDeletion" | "recentUponFailure" | "recent" | "deletions";

/** The counts with the names that states were first stored with. */
interface StoredCounts extends Omit<Counts, Renamed> {
  readonly off: PodTally["finalizerOff"];
  readonly succeededAsked: number;
  readonly doomed: PodTally["recentUponFailure"];
  readonly recent: readonly StoredPod[];
  readonly deletions: readonly StoredPod[];
}
type StoredPod = Omit<CountedPod, "finalizerOffAt"> & { readonly off?: CountedPod["finalizerOffAt"] };

function toStored(tally: PodTally): StoredCounts {
  const { finalizerOff, succeededAfterDeletion, recentUponFailure, recent, deletions, ...others } = tally;
  const { completed: _1, completedBefore: _2, failedIndexes: _3, activeIndexes: _4, ...rest } = others;
  const { completedFinalizerOff: _5, completedAfterDeletion: _6, failedWithFinalizer: _7, ...counts } = rest;
  return {
    ...counts,
    off: finalizerOff,
    succeededAsked: succeededAfterDeletion,
    doomed: recentUponFailure,
    recent: recent.map(podToStored),
    deletions: deletions.map(podToStored),
  };
}

function fromStored({ off, succeededAsked, doomed, recent, deletions, ...counts }: StoredCounts): Counts {
  return {
    ...counts,
    finalizerOff: off,
    succeededAfterDeletion: succeededAsked,
    recentUponFailure: doomed,
    recent: recent.map(podFromStored),
    deletions: deletions.map(podFromStored),
  };
}

function podToStored({ finalizerOffAt, ...pod }: CountedPod): StoredPod {
  return finalizerOffAt === undefined ? pod : { ...pod, off: finalizerOffAt };
}

function podFromStored({ off, ...pod }: StoredPod): CountedPod {
  return off === undefined ? pod : { ...pod, finalizerOffAt: off };
}

function isCounts(value: unknown): value is StoredCounts {
  return typeof value === "object" && value !== null && "outcomes" in value && "ledgers" in value;
}
