import type { Clock } from "../../ports/runtime/clock.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** A list in progress: the number of its objects, and whether all of them could be read. */
export class PartialList {
  readonly #resource: WatchedResource;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #objects = 0;
  #isPartial = false;

  constructor(resource: WatchedResource, clock: Clock) {
    this.#resource = resource;
    this.#clock = clock;
    this.#startedAt = clock.elapsed();
  }

  /** Some objects could not be read, so seemingly missing objects may be among them. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  count(objects: number): void {
    this.#objects += objects;
  }

  markPartial(): void {
    this.#isPartial = true;
  }

  completed(how: "streamed" | "paged"): CaptureEvent {
    const millis = Math.round(this.#clock.elapsed() - this.#startedAt);
    return { kind: "listed", resource: this.#resource, objects: this.#objects, millis, how };
  }
}
