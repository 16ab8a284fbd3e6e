import { describe, expect, it } from "vitest";
import { ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { listChanges } from "../../../src/query/changes/changes.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { encodeCursor } from "../../../src/query/list/cursor.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";
import { appendInPacks, appendSingly } from "../../support/stores/both-layouts.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const RETRY = { attempts: 3, pause: async () => undefined };

function facts(name: string) {
  const story = new Story(name);
  story.jobCreated();
  return story.facts;
}

/** A stage: its upgrade at 13:00 adds packs and announcements. */
class Stage {
  readonly jobs = new MemoryJobStore();
  readonly meta = new MemoryMetaStore();
  readonly log = new MemoryPackedLog();
  now = NOON;
  readonly #changes = new ChangeFeed(this.meta, () => this.now);
  readonly #projections = {
    open: () => this.jobs,
    runs: () => new MemoryJobStore(),
    clear: async () => "empty" as const,
  };

  async before(name: string): Promise<void> {
    const items = await appendSingly(this, sealInSegments(facts(name), 10, this.now));
    await projectLive({ projections: this.#projections, meta: this.meta }, items, RETRY);
  }

  async after(name: string): Promise<void> {
    const sealed = sealInSegments(facts(name), 10, this.now);
    const items = await appendInPacks(this, sealed, { arrivedAt: this.now });
    const ports = { projections: this.#projections, meta: this.meta, changes: this.#changes };
    await projectLive(ports, items, RETRY);
  }

  async changes(query: { readonly cursor?: string; readonly since?: number }, scope: Scope = "everything") {
    const ports = { jobs: this.jobs, meta: this.meta, log: this.log };
    return listChanges(ports, scope, { filter: {}, limit: 100, now: this.now, ...query });
  }

  /** The names of all changes since an instant, following the cursors. */
  async namesSince(since: number): Promise<readonly string[]> {
    const names: string[] = [];
    let page = await this.changes({ since });
    for (let call = 0; call < 20; call += 1) {
      if (page.outcome !== "listed") throw new Error(page.problem);
      names.push(...page.items.map(({ job }) => job.name));
      if (!page.more) return names;
      page = await this.changes({ cursor: page.nextCursor });
    }
    throw new Error("The changes do not end.");
  }
}

async function upgraded(): Promise<Stage> {
  const stage = new Stage();
  await stage.before("old");
  stage.now = NOON + HOUR;
  await stage.before("last");
  stage.now += 1_000;
  await stage.after("new");
  stage.now += HOUR;
  return stage;
}

describe("changes of an upgraded stage", () => {
  it("are those that were announced, however early the reader begins", async () => {
    const stage = await upgraded();
    expect(await stage.namesSince(NOON - 60_000)).toEqual(["new"]);
  });

  it("refuse a cursor of the earlier release, and say where to begin again and what is missing", async () => {
    const stage = await upgraded();
    const page = await stage.changes({ cursor: encodeCursor("changes", ["pass", NOON + 60_000, ""]) });
    if (page.outcome !== "badCursor") throw new Error(page.outcome);
    expect(page.problem).toContain("earlier version");
    expect(page.problem).toContain("changes from before the upgrade are not listed, so read the list of Jobs once.");
    const since = /since=([^`]+)`/.exec(page.problem)?.[1] ?? "";
    expect(Date.parse(since)).toBe(NOON + 45_000);
    expect(await stage.namesSince(Date.parse(since))).toEqual(["new"]);
  });

  it("miss none where a cursor of the earlier release is from after the first announcement", async () => {
    const stage = await upgraded();
    const page = await stage.changes({ cursor: encodeCursor("changes", ["log", NOON + HOUR + 16_000, ""]) });
    expect(page.outcome === "badCursor" && page.problem).toContain("no change is missed, and some are repeated.");
  });

  it("continue with the next announcement, and are none outside of the reader's scope", async () => {
    const stage = await upgraded();
    const page = await stage.changes({ since: stage.now - 1 });
    if (page.outcome !== "listed") throw new Error(page.problem);
    await stage.after("newer");
    const next = await stage.changes({ cursor: page.nextCursor });
    expect(next.outcome === "listed" && next.items.map(({ job }) => job.name)).toEqual(["newer"]);
    const scope = { grants: [{ cluster: "west", namespaces: "all" as const }] };
    expect(await stage.changes({ cursor: page.nextCursor }, scope)).toMatchObject({ items: [], more: false });
  });

  it("are announced before the state is written: a projector that is killed in between loses none", async () => {
    const stage = await upgraded();
    stage.jobs.write = async () => {
      throw new Error("killed");
    };
    await stage.after("killed");
    expect(await stage.namesSince(stage.now - 1)).toEqual(["killed"]);
  });
});

describe("changes of a new stage", () => {
  it("are announced from the first on, however early the reader begins", async () => {
    const stage = new Stage();
    await stage.after("first");
    stage.now += 60_000;
    expect(await stage.namesSince(NOON - 300 * 24 * HOUR)).toEqual(["first"]);
  });

  it("are none before the first, whose announcement the next page has", async () => {
    const stage = new Stage();
    const page = await stage.changes({ since: NOON - HOUR });
    if (page.outcome !== "listed") throw new Error(page.problem);
    expect(page.items).toEqual([]);
    await stage.after("first");
    stage.now += 60_000;
    const next = await stage.changes({ cursor: page.nextCursor });
    expect(next.outcome === "listed" && next.items.map(({ job }) => job.name)).toEqual(["first"]);
  });
});
