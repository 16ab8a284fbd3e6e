import type { CaptureEvent } from "../../kubernetes/watch/capture-event.ts";
import { RESOURCE_KINDS, type WatchedResource } from "../../kubernetes/connection/watched-resource.ts";

/** The exporter needs Jobs and Pods. Denied access to other resources is only a problem. */
const NEEDED: readonly WatchedResource[] = ["jobs", "pods"];
/** The exporter stays ready during a shorter outage of the queue, because segments are buffered. */
const MAX_FAILING_MILLIS = 60_000;

/** Whether this exporter is ready, and why not. */
export class Readiness {
  readonly #watching = new Set<WatchedResource>();
  readonly #problems = new Map<string, string>();

  readonly onCapture = (event: CaptureEvent): void => {
    if (event.kind === "watching") {
      this.#watching.add(event.resource);
      this.#problems.delete(event.resource);
    }
    if (event.kind === "removed") this.#problems.delete(event.resource);
    if (event.kind === "problem") this.#problems.set(event.resource ?? "cluster", event.message);
  };

  /** Reasons why the exporter is not ready, as sentences. `isWaiting`: another replica leads. */
  reasons({
    failingMillis,
    isWaiting,
  }: {
    readonly failingMillis: number;
    readonly isWaiting: boolean;
  }): readonly string[] {
    const unwatched = isWaiting ? [] : NEEDED.filter((resource) => !this.#watching.has(resource));
    return [
      ...unwatched.map((resource) => this.#problems.get(resource) ?? `${resource} are not yet watched.`),
      ...(failingMillis > MAX_FAILING_MILLIS
        ? [`The queue has accepted nothing for ${Math.round(failingMillis / 1000)} s.`]
        : []),
    ];
  }

  /** Problems that do not stop the exporter but may need attention, for example denied access to a resource. */
  get problems(): readonly string[] {
    return RESOURCE_KINDS.flatMap(({ resource }) => this.#problems.get(resource) ?? []);
  }
}
