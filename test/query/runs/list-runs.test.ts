import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/query/access/scope.ts";
import { listRuns, type RunListQuery } from "../../../src/query/runs/list-runs.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { dagsterJob, queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const ONLY_ML: Scope = { grants: [{ cluster: "east", namespaces: ["ml"] }] };
const NOW = second(120);

async function open() {
  const facts = [...restartedJobSet(), ...queuedJobSet(), ...dagsterJob("5f1a")];
  const ports = await runPortsWith(facts);
  return {
    ports,
    list: async (said: Partial<RunListQuery> = {}, scope: Scope = "everything") => {
      const { filter = {} } = said;
      const page = await listRuns(ports, scope, { filter, written: filter, limit: 10, now: NOW, ...said });
      if (page.outcome === "badCursor") throw new Error(page.problem);
      return { ...page, names: page.items.map(({ name }) => name) };
    },
  };
}

describe("a list of runs", () => {
  it("has the runs that the reader may see", async () => {
    const { list } = await open();
    expect((await list()).names).toEqual(["next", "5f1a", "train"]);
    expect((await list({}, ONLY_ML)).names).toEqual(["next", "train"]);
    expect((await list({}, { grants: [] })).names).toEqual([]);
  });

  it("by the id of another system has no runs that the reader may not see", async () => {
    const { list } = await open();
    const filter = { externalId: "dagster/run-id=5f1a" };
    expect((await list({ filter })).names).toEqual(["5f1a"]);
    expect((await list({ filter }, ONLY_ML)).names).toEqual([]);
  });

  it("by the id of another system reads one index", async () => {
    const { ports } = await open();
    const requests: string[] = [];
    const counted = { ...ports, runs: countedStore(ports.runs, requests) };
    const filter = { externalId: "dagster/run-id=5f1a" };
    await listRuns(counted, "everything", { filter, written: filter, limit: 10, now: NOW });
    expect(requests).toEqual(["listByExternalId"]);
  });

  it("of failed runs reads those that need attention", async () => {
    const { ports } = await open();
    const requests: string[] = [];
    const counted = { ...ports, runs: countedStore(ports.runs, requests) };
    const filter = { states: ["Failed"] } as const;
    const page = await listRuns(counted, "everything", { filter, written: filter, limit: 10, now: NOW });
    expect(page).toMatchObject({ items: [] });
    expect(new Set(requests)).toEqual(new Set(["listAttention"]));
  });

  it("reads no Jobs", async () => {
    const { ports } = await open();
    const requests: string[] = [];
    const counted = { ...ports, jobs: countedStore(ports.jobs, requests) };
    await listRuns(counted, "everything", { filter: {}, written: {}, limit: 10, now: NOW });
    expect(requests).toEqual([]);
  });

  it("refuses the cursor of another list", async () => {
    const { ports, list } = await open();
    const { nextCursor } = await list({ limit: 1 });
    expect(nextCursor).toBeDefined();
    const filter = { name: "train" };
    const page = await listRuns(ports, "everything", {
      filter,
      written: filter,
      limit: 1,
      now: NOW,
      cursor: nextCursor,
    });
    expect(page.outcome).toBe("badCursor");
  });
});
