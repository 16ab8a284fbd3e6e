import type { Fact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import type { AddedKinds } from "../../parents/kinds.ts";
import type { Order } from "../../job/model/order.ts";

/** The result of translating one watch event. */
export type Translated =
  | { readonly outcome: "translated"; readonly facts: readonly Fact[] }
  /** Well-formed, but unrelated to Jobs. `reason` is a sentence. */
  | {
      readonly outcome: "ignored";
      readonly reason: string;
      /** A Pod without a controller and without a known Job. Translate the event again once its Job is known. */
      readonly unowned?: PodUid;
    }
  | { readonly outcome: "rejected"; readonly problems: readonly Problem[] };

/** Why an event is invalid: a `path` such as `object.metadata.uid`, and a sentence. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Which texts may leave the cluster; by default none of them. */
export interface TextOptions {
  /** Messages of terminated containers, which programs write (`--container-messages`). */
  readonly containerMessages: boolean;
  /** All other messages: of Events, conditions and waiting containers (`--include-messages`). */
  readonly messages: boolean;
  /** Names of missing ConfigMaps, Secrets, ServiceAccounts and volume claims (`--include-names`). */
  readonly names: boolean;
  /** Kinds that users have added: the values of their keys leave the cluster (`--kinds`). */
  readonly kinds?: AddedKinds | undefined;
}

export interface TranslateOptions extends TextOptions {
  /** The epoch of the watch (src/job/model/order.ts); 0 where epochs are not counted. */
  readonly epoch: number;
  /**
   * The Jobs to which earlier observations assigned a Pod (owner-memory.ts): a released Pod may not name them any more.
   */
  readonly jobsOfPod?: (pod: PodUid, observation: Order) => readonly JobUid[];
  /**
   * When the event arrived, by the cluster's clock. Instants long after it are treated as unknown. Absent if it is
   * unknown.
   */
  readonly arrivedAt?: Instant | undefined;
}

/** No text of a message, and no name of a missing object. */
export const DEFAULT_OPTIONS: TranslateOptions = { epoch: 0, containerMessages: false, messages: false, names: false };

/** The types of watch events that carry an object's state. */
export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

export function ignored(reason: string): Translated {
  return { outcome: "ignored", reason };
}

export function rejected(path: string, message: string): Translated {
  return { outcome: "rejected", problems: [{ path, message }] };
}
