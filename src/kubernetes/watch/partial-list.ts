import type { Clock } from "../../runtime/clock.ts";
import type { CaptureEvent } from "./capture-event.ts";
import type { WatchedResource } from "../connection/watched-resource.ts";

/** A list, from its first object to its last: how much of it there was, and whether all of it could be read. */
export class ListUnderWay {
  readonly #resource: WatchedResource;
  readonly #clock: Clock;
  readonly #beganAt: number;
  #objects = 0;
  #isPartial = false;

  constructor(resource: WatchedResource, clock: Clock) {
    this.#resource = resource;
    this.#clock = clock;
    this.#beganAt = clock.elapsed();
  }

  /** Some objects could not be read, so that what seems to be missing may be among them. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  count(objects: number): void {
    this.#objects += objects;
  }

  lack(): void {
    this.#isPartial = true;
  }

  news(how: "streamed" | "paged"): CaptureEvent {
    const millis = Math.round(this.#clock.elapsed() - this.#beganAt);
    return { kind: "listed", resource: this.#resource, objects: this.#objects, millis, how };
  }
}
