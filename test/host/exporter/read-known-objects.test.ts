import { describe, expect, it } from "vitest";
import type { ApiClient } from "../../../src/host/client/api-client.ts";
import { knownObjects } from "../../../src/host/exporter/read-known-objects.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const uidOf = (kind: string, n: number) => `${kind}-${n}`;

/** A tracker with some Jobs, the first of which was deleted. Each has two Pods, the first of which was deleted. */
class Tracker implements ApiClient {
  readonly name = "the tracker";
  /** Requests that were not answered yet, now and at most. */
  waiting = 0;
  mostWaiting = 0;
  readonly #jobs: number;

  constructor(jobs: number) {
    this.#jobs = jobs;
  }

  readonly request = async (path: string): Promise<Response> => {
    this.waiting += 1;
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting);
    await Promise.resolve();
    this.waiting -= 1;
    return Response.json({ items: path.startsWith("/v1/jobs?") ? this.#jobItems() : podItems(path) });
  };

  readonly close = async () => {};

  #jobItems() {
    return Array.from({ length: this.#jobs }, (_, n) => ({
      cluster: "main",
      namespace: "default",
      name: `job-${n}`,
      uid: uidOf("job", n),
      ...(n === 0 && { deletedAt: "2026-11-23T07:00:00Z" }),
    }));
  }
}

function podItems(path: string) {
  const job = new URL(path, "http://localhost").searchParams.get("uid") ?? "";
  return [{ uid: `${job}-pod-0`, deletedAt: "2026-11-23T07:00:00Z" }, { uid: `${job}-pod-1` }];
}

describe("the objects that the tracker believes to exist", () => {
  it("are its open Jobs and their Pods, without those that were deleted", async () => {
    expect(await knownObjects(new Tracker(3), clusterNamed("main"))).toEqual({
      jobs: ["job-1", "job-2"],
      pods: [
        { podUid: "job-1-pod-1", jobUid: "job-1" },
        { podUid: "job-2-pod-1", jobUid: "job-2" },
      ],
    });
  });

  it("are asked for with at most four requests at once, because the capture waits for them", async () => {
    const tracker = new Tracker(50);
    await knownObjects(tracker, clusterNamed("main"));
    expect(tracker.mostWaiting).toBe(4);
  });
});
