import { describe, expect, it } from "vitest";
import { eraseJobs } from "../../../../src/log/erasure/command/erase-views.ts";
import { Erasure } from "../../../../src/log/erasure/erasure.ts";
import { type ErasureTarget, knownOf, scopeOf } from "../../../../src/log/erasure/erasure-target.ts";
import type { Eraser } from "../../../../src/ports/erasing/eraser.ts";
import type { ProjectionName } from "../../../../src/ports/projections.ts";
import { EIGHT, endedJob } from "../../../support/archive/archive-scene.ts";
import { cluster, ofCluster, uidOf } from "../../../support/erasure/erasure-scene.ts";

const salt = "c2FsdHNhbHRzYWx0c2FsdA";
const [name, namespace] = ["nightly", "shop"];

function erasureOf(target: ErasureTarget): Erasure {
  const scope = scopeOf({ target, at: EIGHT, by: "alice", reason: "request 12" }, { id: "erasure-1", salt });
  const erasure = new Erasure(scope, knownOf(target, salt));
  erasure.learn({ cluster, facts: endedJob({ name, namespace, createdAt: EIGHT }) });
  return erasure;
}

describe("the Jobs of an erasure", () => {
  it("are removed from the states and from the lists of both projections", async () => {
    const [erased, other] = [uidOf(name), uidOf("other")];
    const removed: string[] = [];
    const unlisted: (readonly [ProjectionName, boolean, boolean])[] = [];
    const eraser = {
      storedJobs: async function* (projection: ProjectionName) {
        yield* projection === "A" ? [erased, other] : [other];
      },
      removeJob: async (projection, { jobUid }) => void removed.push(`${projection} ${jobUid}`),
      unlistJobs: async (projection, isErased) => {
        const [one, another] = [isErased({ cluster, jobUid: erased }), isErased({ cluster, jobUid: other })];
        unlisted.push([projection, one, another]);
        return 3;
      },
    } satisfies Partial<Eraser>;
    expect(await eraseJobs(eraser, erasureOf(ofCluster), cluster)).toBe(7);
    expect(removed).toEqual([`A ${erased}`]);
    expect(unlisted).toEqual([
      ["A", true, false],
      ["B", true, false],
    ]);
  });
});
