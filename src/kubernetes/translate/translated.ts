import type { Fact } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import type { Order } from "../../job/model/order.ts";

/** What one watch event comes to. */
export type Translated =
  | { readonly outcome: "translated"; readonly facts: readonly Fact[] }
  /** Well-formed, and no concern of Jobs: `reason` says why, for a person. */
  | {
      readonly outcome: "ignored";
      readonly reason: string;
      /** A Pod that nothing controls and that no Job is known to have had: once one is, its event is worth translating again. */
      readonly unowned?: PodUid;
    }
  | { readonly outcome: "rejected"; readonly problems: readonly Problem[] };

/** Why an event cannot be read: `path` as in `object.metadata.uid`, `message` a sentence. */
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
}

export interface TranslateOptions extends TextOptions {
  /** The epoch of the watch the event came from (src/job/model/order.ts); 0 where nobody counts. */
  readonly epoch: number;
  /** Of which Jobs a Pod was seen to be before `observation` (owner-memory.ts): a Pod that was released may name them nowhere any more. */
  readonly jobsOfPod?: (pod: PodUid, observation: Order) => readonly JobUid[];
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
