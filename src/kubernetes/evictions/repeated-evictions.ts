import type { EvictionObserved } from "../../job/model/fact.ts";

/** Finds repeated states of an EvictionRequest or an Eviction. Responders write heartbeats into it. */
export class RepeatedEvictions {
  readonly #states = new Map<string, string>();

  /** Whether the state differs from the last one of the object. */
  passes({ hintId, requesters, conditions, deleted }: EvictionObserved): boolean {
    const state = JSON.stringify([requesters, conditions]);
    const isNew = deleted === true || this.#states.get(hintId) !== state;
    if (deleted === true) this.#states.delete(hintId);
    else this.#states.set(hintId, state);
    return isNew;
  }

  /** The state was not sent after all: its next observation passes. */
  forget(hintId: string): void {
    this.#states.delete(hintId);
  }
}
