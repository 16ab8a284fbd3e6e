import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANGE_SHARDS, ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { decodeChangesCursor, encodeFeed, type FeedPosition } from "../../../src/query/changes/changes-cursor.ts";
import { feedFrom, followFeed } from "../../../src/query/changes/follow-feed.ts";
import { CountedMetaStore } from "../../support/stores/memory-meta-store.ts";
import { changeNamed } from "../../support/story/announced.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

class Feed {
  readonly meta = new CountedMetaStore();
  now = NOON;
  readonly #feed = new ChangeFeed(this.meta, () => this.now);

  async announce(...names: readonly string[]): Promise<void> {
    await this.#feed.append(names.map((name) => changeNamed(name)));
  }

  /** The names after a position, and the position after them, through a cursor. */
  async read(from: FeedPosition, { limit = 100, wanted = /./, isPrompt = false } = {}) {
    const query = { from, now: this.now, limit, isPrompt };
    const page = await followFeed(this.meta, query, ({ job }) => wanted.test(job.name));
    return { ...page, position: throughCursor(page.position), names: page.items.map(({ job }) => job.name) };
  }
}

function throughCursor(position: FeedPosition): FeedPosition {
  const decoded = decodeChangesCursor(encodeFeed(position));
  if (decoded.outcome === "refused" || "restartAt" in decoded.position) throw new Error("The cursor is not valid.");
  return decoded.position;
}

describe("a follower of announced changes", () => {
  it("gets each change once, early, and not again when it has settled", async () => {
    const feed = new Feed();
    await feed.announce("a", "b");
    feed.now += 1_000;
    const first = await feed.read(feedFrom(NOON - 1));
    expect(first.names).toEqual(["a", "b"]);
    await feed.announce("c");
    feed.now += 1_000;
    const second = await feed.read(first.position);
    expect(second.names).toEqual(["c"]);
    feed.now += 60_000;
    const third = await feed.read(second.position);
    expect(third.names).toEqual([]);
    expect(third.position.given).toEqual([]);
  });

  it("gets a change whose record appeared later than those after it", async () => {
    const feed = new Feed();
    feed.now = NOON + 5_000;
    await feed.announce("b");
    const first = await feed.read(feedFrom(NOON - 1));
    feed.now = NOON + 2_000;
    await feed.announce("a");
    feed.now = NOON + 6_000;
    const second = await feed.read(first.position);
    expect([first.names, second.names]).toEqual([["b"], ["a"]]);
  });

  it("gets every change exactly once, for any times, pages and polls", async () => {
    const steps = fc.array(fc.record({ millis: fc.nat(40_000), count: fc.nat(3), polls: fc.boolean() }), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
        const feed = new Feed();
        const told: string[] = [];
        const got: string[] = [];
        let position = feedFrom(NOON - 1);
        const poll = async () => {
          for (let more = true; more;) {
            const page = await feed.read(position, { limit });
            got.push(...page.names);
            ({ position, more } = page);
          }
        };
        for (const { millis, count, polls } of all) {
          feed.now += millis;
          const names = Array.from({ length: count }, (_, number) => `job-${told.length + number}`);
          told.push(...names);
          if (count > 0) await feed.announce(...names);
          if (polls) await poll();
        }
        feed.now += 60_000;
        await poll();
        expect(got.toSorted()).toEqual(told.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it("reads only what has settled where changes are many, and misses none", async () => {
    const feed = new Feed();
    const got: string[] = [];
    let position = feedFrom(NOON - 1);
    for (let number = 0; number < 400; number += 1) {
      await feed.announce(`job-${number}`);
      feed.now += 100;
      if (number % 20 !== 0) continue;
      const page = await feed.read(position);
      got.push(...page.names);
      ({ position } = page);
      expect(encodeFeed(position).length).toBeLessThanOrEqual(1_024);
    }
    feed.now += 60_000;
    for (let more = true; more;) {
      const page = await feed.read(position);
      got.push(...page.names);
      ({ position, more } = page);
    }
    expect(new Set(got).size).toBe(400);
    expect(got.length).toBe(400);
  });

  it("gets a position that says nothing about changes which it does not see", async () => {
    const feed = new Feed();
    await feed.announce("secret");
    feed.now += 1_000;
    const { position, names } = await feed.read(feedFrom(NOON - 1), { wanted: /^public/ });
    expect(names).toEqual([]);
    expect(position).toEqual(feedFrom(NOON - 1));
  });
});

describe("a follower that reads every half minute", () => {
  it("takes one query of each shard while little changes, and gets early changes too", async () => {
    const feed = new Feed();
    const { position } = await feed.read(feedFrom(NOON - 30_000));
    feed.now = NOON + 25_000;
    await feed.announce("early");
    feed.now = NOON + 30_000;
    feed.meta.takeReads();
    const page = await feed.read(position);
    expect(page.names).toEqual(["early"]);
    expect(feed.meta.takeReads()).toHaveLength(CHANGE_SHARDS);
    feed.now = NOON + 60_000;
    expect((await feed.read(page.position)).names).toEqual([]);
    expect(feed.meta.takeReads()).toHaveLength(CHANGE_SHARDS);
  });

  it.each([20, 60, 100, 300, 1_000])("gets every change once with %i ms between changes", async (millis) => {
    const feed = new Feed();
    const got: string[] = [];
    let position = feedFrom(NOON - 1);
    const told = Array.from({ length: 400 }, (_, number) => `job-${number}`);
    const poll = async () => {
      const { names, position: next } = await feed.read(position, { limit: 1_000 });
      got.push(...names);
      position = next;
    };
    for (const name of told) {
      const before = Math.floor(feed.now / 30_000);
      feed.now += millis;
      await feed.announce(name);
      if (Math.floor(feed.now / 30_000) > before) await poll();
    }
    for (const _ of [1, 2, 3, 4]) {
      feed.now += 30_000;
      await poll();
    }
    expect(got.toSorted()).toEqual(told.toSorted());
  });
});

describe("a follower that keeps its position in memory", () => {
  it("gets every change at once where changes are many, each once", async () => {
    const feed = new Feed();
    const got: string[] = [];
    let from = feedFrom(NOON - 1);
    for (let number = 0; number < 400; number += 1) {
      await feed.announce(`job-${number}`);
      feed.now += 100;
      const { items, position } = await followFeed(
        feed.meta,
        { from, now: feed.now, limit: 100, isPrompt: true },
        () => true,
      );
      got.push(...items.map(({ job }) => job.name));
      from = position;
    }
    expect(got).toEqual(Array.from({ length: 400 }, (_, number) => `job-${number}`));
    feed.now += 1_000;
    expect((await feed.read(throughCursor(from))).names.every((name) => got.includes(name))).toBe(true);
  });

  it("learns which records are early, and what they have", async () => {
    const feed = new Feed();
    await feed.announce("a");
    feed.now += 1_000;
    const page = await feed.read(feedFrom(NOON - 1), { isPrompt: true });
    expect(page.early.map(({ mark, changes }) => [mark, changes.map(({ job }) => job.name)])).toEqual([
      [page.position.given[0], ["a"]],
    ]);
  });
});
