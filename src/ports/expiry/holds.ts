import type { MetaRecord, MetaStore } from "../meta.ts";
import type { Held } from "../meta-key.ts";

/** A place whose data is neither deleted after its retention nor erased. */
export interface Hold {
  readonly held: Held;
  readonly reason: string;
  readonly heldAt: string;
}

/** An optional part of a build that holds data (src/host/optional/hold-sources.ts). */
export interface HoldSource {
  /** The kind of its records. Their keys name the places (holdKey). */
  readonly kind: "hold";
  /** The holds in force, in order of their keys. */
  readonly read: (meta: MetaStore) => Promise<readonly Hold[]>;
  /** Whether a record is of a hold that is not in force any more. */
  readonly isReleased: (record: MetaRecord) => boolean;
}

/** Records of which some may be about holds. */
export interface HoldStores {
  readonly meta: MetaStore;
  readonly holds: readonly HoldSource[];
}

/** The holds in force of all parts. */
export async function readHolds({ meta, holds }: HoldStores): Promise<readonly Hold[]> {
  return (await Promise.all(holds.map((source) => source.read(meta)))).flat();
}
