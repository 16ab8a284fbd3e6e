import type { CaptureEvent } from "../kubernetes/watch/capture-event.ts";
import { RESOURCE_KINDS, type WatchedResource } from "../kubernetes/connection/watched-resource.ts";

/** Jobs and Pods are what the exporter is for; a cluster may forbid the others, and that is told as a problem. */
const NEEDED: readonly WatchedResource[] = ["jobs", "pods"];
/** A queue that is away for less is nothing anybody should be woken for. */
const QUEUE_PATIENCE_MILLIS = 60_000;

/** Whether this exporter does what it is for, and if not, why not. */
export class Readiness {
  readonly #watching = new Set<WatchedResource>();
  readonly #problems = new Map<string, string>();

  readonly onNews = (news: CaptureEvent): void => {
    if (news.kind === "watching") {
      this.#watching.add(news.resource);
      this.#problems.delete(news.resource);
    }
    if (news.kind === "problem") this.#problems.set(news.resource ?? "cluster", news.message);
  };

  /** Sentences; none where it is ready. `isWaiting`: another replica leads, and has come nowhere yet. */
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
      ...(failingMillis > QUEUE_PATIENCE_MILLIS
        ? [`The queue has taken nothing for ${Math.round(failingMillis / 1000)} s.`]
        : []),
    ];
  }

  /** What somebody may have to look after though the exporter goes on: a resource that is forbidden, for instance. */
  get problems(): readonly string[] {
    return RESOURCE_KINDS.flatMap(({ resource }) => this.#problems.get(resource) ?? []);
  }
}
