import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** A deployment (one stack) whose Jobs the API of this stage also answers for. */
export interface Cell {
  readonly name: string;
  /** Where its API is. Absent for the stage that has the registry. */
  readonly url?: string;
}

/** Where the Jobs of a cluster are. */
export interface CellOfCluster {
  readonly cell: string;
  /** Cells that have earlier Jobs of the cluster, the latest first. */
  readonly previous?: readonly { readonly cell: string; readonly until: Instant }[];
}

/** Kind `cells`, the only record. It is written as a whole, so that every reader sees one version of it. */
export interface CellRegistryRecord {
  /** Sorted by name. */
  readonly cells: readonly Cell[];
  readonly clusters: Readonly<Record<string, CellOfCluster>>;
}

export const CELL_REGISTRY_KEY = "registry";

export const cellRegistryRecord = recordCodec<CellRegistryRecord>(
  "cells",
  v.looseObject({
    cells: v.array(v.looseObject({ name: v.string(), url: v.exactOptional(v.string()) })),
    clusters: v.record(
      v.string(),
      v.looseObject({
        cell: v.string(),
        previous: v.exactOptional(v.array(v.looseObject({ cell: v.string(), until: v.number() }))),
      }),
    ),
  }),
);
