import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { JsonObject } from "../json/json-field.ts";
import type { ResourcePosition } from "./position.ts";
import type { ChangeType } from "../translate/translated.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** One state of one object: from a list (ADDED), or from a change. */
export interface Observation {
  readonly type: ChangeType;
  readonly object: JsonObject;
}

/** The steps of a stream, in order. */
export type Step = {
  readonly resource: WatchedResource;
  /** The epoch of the observations (src/job/model/order.ts). */
  readonly epoch: number;
  /** The stream's position after this step. */
  readonly position: ResourcePosition;
} & StepContent;

export type StepContent =
  /** A list starts, or restarts. The observations up to `listed` are all existing objects. */
  | { readonly kind: "listing"; readonly closesGap: boolean }
  | { readonly kind: "seen"; readonly observations: readonly Observation[] }
  | {
      readonly kind: "listed";
      readonly resourceVersion: ResourceVersion;
      readonly at: Instant;
      /** Some objects could not be read, so seemingly missing objects may be among them. */
      readonly isPartial: boolean;
      readonly gap?: WatchGap;
    }
  /** These objects exist. Only their `metadata` was requested. */
  | { readonly kind: "present"; readonly objects: readonly JsonObject[] }
  /** The cluster serves the resource no longer, so none of its objects exists. */
  | { readonly kind: "removed"; readonly at: Instant; readonly resourceVersion: ResourceVersion | undefined }
  /** A part of a gap that continues. */
  | { readonly kind: "gap"; readonly gap: WatchGap }
  /** The position moved without an observation. */
  | { readonly kind: "moved" };

/** The watch was not complete from `from` to `to`, by the cluster's clock. `reason` is a sentence. */
export interface WatchGap {
  readonly from: Instant;
  readonly to: Instant;
  readonly reason: string;
}
