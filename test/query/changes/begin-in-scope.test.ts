import { describe, expect, it } from "vitest";
import type { Grant, Scope } from "../../../src/query/access/scope.ts";
import { beginInScope } from "../../../src/query/changes/begin-in-scope.ts";
import { positionAt } from "../../../src/query/changes/log-position.ts";
import { noteNamespace } from "../../../src/projection/project-cluster.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const TWO_DAYS_AGO = positionAt(Date.parse("2026-03-08T12:00:00Z"));
const LONG_AGO = positionAt(Date.parse("2020-01-01T00:00:00Z"));
const east = clusterOf("east");

/** Where a reader begins in the log of `east`, which has had Jobs in namespace `busy`. */
async function begin(scope: Scope, from = LONG_AGO) {
  const meta = new MemoryMetaStore();
  await noteNamespace(meta, east, "busy");
  await noteNamespace(meta, clusterOf("west"), "quiet");
  return beginInScope(meta, { cluster: east, from, scope, now: NOW });
}

function granted(...namespaces: readonly string[]): Scope {
  return { grants: [{ cluster: "east", namespaces }] };
}

describe("a reader of the log of a cluster", () => {
  it.each<[string, Scope]>([
    ["everything", "everything"],
    ["the whole cluster", { grants: [{ cluster: "east", namespaces: "all" }] }],
    ["a namespace that has had Jobs", granted("quiet", "busy")],
    [
      "such a namespace by another grant",
      { grants: [...grantsOf(granted("quiet")), { cluster: "east", namespaces: ["busy"] }] },
    ],
  ])("begins where it asks if it may see %s", async (_, scope) => {
    expect(await begin(scope)).toEqual(LONG_AGO);
  });

  it.each<[string, Scope]>([
    ["no namespace", granted()],
    ["a namespace without Jobs", granted("quiet")],
    ["the Jobs of another cluster", { grants: [{ cluster: "west", namespaces: ["busy"] }] }],
  ])("begins two days ago, when all segments before are projected, if it may see %s", async (_, scope) => {
    expect(await begin(scope)).toEqual(TWO_DAYS_AGO);
  });

  it("reads recent segments, whose namespaces may not be recorded yet", async () => {
    const recent = positionAt(Date.parse("2026-03-08T12:00:01Z"));
    expect(await begin(granted("quiet"), recent)).toEqual(recent);
  });

  it("remembers what it has read of late arrivals and of recent segments", async () => {
    const from = { ...LONG_AGO, given: ["abcdef"], lateUntil: NOW - 60_000 };
    expect(await begin(granted("quiet"), from)).toEqual({ ...from, floor: TWO_DAYS_AGO.floor });
  });
});

function grantsOf(scope: Scope): readonly Grant[] {
  return scope === "everything" ? [] : scope.grants;
}
