import { fieldsOf, itemsOf, type JsonObject } from "../json/json-field.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/**
 * Whether Jobs and Pods arrive with `managedFields`, which date their writes. A proxy or an API server
 * may drop them, although the exporter never requests that (KEP-5958). One object may lack them, because any client can
 * clear them. So writes count as undated only if all objects since the last heartbeat lack them.
 */
export class DatedWrites {
  #hasDated = false;
  #hasUndated = false;
  #wereUndated = false;

  note(resource: WatchedResource, { metadata }: JsonObject): void {
    if (resource !== "jobs" && resource !== "pods") return;
    if (itemsOf(fieldsOf(metadata)["managedFields"]).length > 0) this.#hasDated = true;
    else this.#hasUndated = true;
  }

  /** Begins the time until the next heartbeat. Without an object since the last one, nothing has changed. */
  takeUndated(): boolean {
    if (this.#hasDated || this.#hasUndated) this.#wereUndated = !this.#hasDated;
    this.#hasDated = false;
    this.#hasUndated = false;
    return this.#wereUndated;
  }
}
