import { describe, expect, it } from "vitest";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import type { HistoryEntry } from "../../../src/query/job/job-history.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { emptyStores, storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const HISTORY = "/v1/clusters/east/namespaces/default/jobs/render/history";

/** A Pod that succeeds; its finalizer is removed later, and no object dates that. */
function story(): Story {
  const told = new Story("render", "2026-01-01T00:00:00Z");
  told.jobCreated();
  told.podCreated("a");
  told.podTracked("a");
  told.podStarted("a");
  told.after(30);
  told.containerEnded("a", 0, 30);
  told.podTerminated("a", "Succeeded");
  told.podUntracked("a");
  return told;
}

type Line = Pick<HistoryEntry, "kind" | "time" | "bound">;

async function historyOf(stores: Awaited<ReturnType<typeof storesWithFacts>>): Promise<readonly Line[]> {
  const { ask } = apiOver(stores);
  const { items } = (await ask(HISTORY)).body as { items: readonly HistoryEntry[] };
  return items.map(({ kind, time, bound }) => ({ kind, time, ...(bound !== undefined && { bound }) }));
}

describe("a history", () => {
  it("marks the facts that no object dates, if the recording has no arrival times", async () => {
    const lines = await historyOf(await storesWithFacts(story().facts));
    expect(lines).toContainEqual({ kind: "PodCreated", time: "2026-01-01T00:00:00Z" });
    expect(lines).toContainEqual({ kind: "ContainerEnded", time: "2026-01-01T00:00:30Z" });
    expect(lines).toContainEqual({ kind: "PodUntracked", time: "2026-01-01T00:00:30Z", bound: "lower" });
  });

  it("prefers a known arrival to the lower bound of the same fact in another segment", async () => {
    const { facts, begin } = { facts: story().facts, begin: Date.parse("2026-01-01T00:00:00Z") };
    const stores = emptyStores();
    for (const [sequence, session] of ["0123456789abcdef", "t123456789abcdef"].entries()) {
      const item = sealSegment({ cluster: clusterNamed("east"), sealedAt: begin + 90_000, session, sequence, facts });
      expect(decodeSegment(item.bytes).outcome).toBe("decoded");
      await stores.log.append(item);
      await projectLive(stores, [item], { attempts: 1, pause: async () => {} });
    }
    expect(await historyOf(stores)).toContainEqual({ kind: "PodUntracked", time: "2026-01-01T00:01:30Z" });
  });

  it("tells a deletion after the other facts of the same second", async () => {
    const told = story();
    told.podDeletionRequested("a", "Succeeded");
    told.podDeleted("a");
    const kinds = (await historyOf(await storesWithFacts(told.facts))).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe("PodDeleted");
    expect(kinds.indexOf("PodDeletionRequested")).toBeLessThan(kinds.indexOf("PodDeleted"));
  });
});
