import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import type { JsonObject } from "../json/json-field.ts";
import type { ResourcePosition } from "./position.ts";
import type { ChangeType } from "../translate/translated.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** One object as it was seen: of a list (ADDED), or as it changed. */
export interface Observation {
  readonly type: ChangeType;
  readonly object: JsonObject;
}

/** What a stream came to, in order. */
export type Step = {
  readonly resource: WatchedResource;
  /** That of the observations in it (src/job/model/order.ts). */
  readonly epoch: number;
  /** How far the stream has come with it. */
  readonly position: ResourcePosition;
} & StepContent;

export type StepContent =
  /** A list begins, maybe again from the start: the observations up to `listed` are all there is. */
  | { readonly kind: "listing"; readonly closesGap: boolean }
  | { readonly kind: "seen"; readonly observations: readonly Observation[] }
  | {
      readonly kind: "listed";
      readonly resourceVersion: ResourceVersion;
      readonly at: Instant;
      /** Some of the objects could not be read, so that what is missing may be among them. */
      readonly isPartial: boolean;
      readonly gap?: BlindWindow;
    }
  /** These exist, and nothing new is said of them: only `metadata` was asked for. */
  | { readonly kind: "present"; readonly objects: readonly JsonObject[] }
  /** A part of a blind window that still lasts. */
  | { readonly kind: "blind"; readonly gap: BlindWindow }
  /** The stream has come further, and nothing happened. */
  | { readonly kind: "moved" };

/** Nobody could see from `from` to `to`, by the cluster's clock; `reason` is a sentence. */
export interface BlindWindow {
  readonly from: Instant;
  readonly to: Instant;
  readonly reason: string;
}
