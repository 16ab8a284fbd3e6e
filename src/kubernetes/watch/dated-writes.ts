import { fieldsOf, itemsOf, type JsonObject } from "../json/json-field.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/**
 * Whether Jobs and Pods arrive with `managedFields`, which date their writes. A proxy may drop them, or an API server
 * that leaves them out unasked; the exporter never asks for that (KEP-5958). One object may lack them, because any
 * client can clear them. So writes count as undated only if all objects since the last heartbeat lack them.
 */
export class DatedWrites {
  #dated = 0;
  #undated = 0;
  #wereUndated = false;

  note(resource: WatchedResource, { metadata }: JsonObject): void {
    if (resource !== "jobs" && resource !== "pods") return;
    if (itemsOf(fieldsOf(metadata)["managedFields"]).length > 0) this.#dated += 1;
    else this.#undated += 1;
  }

  /** Begins the time until the next heartbeat. Without an object since the last one, nothing has changed. */
  takeUndated(): boolean {
    if (this.#dated + this.#undated > 0) this.#wereUndated = this.#dated === 0;
    this.#dated = 0;
    this.#undated = 0;
    return this.#wereUndated;
  }
}
