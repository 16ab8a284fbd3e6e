import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Instant } from "../../../src/job/model/instant.ts";
import { listChanges } from "../../../src/query/changes/changes.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { SmallTracker } from "../../support/stores/small-tracker.ts";
import { Story } from "../../support/story/story.ts";

const BEGIN = Date.parse("2026-01-01T12:00:00Z");

interface Sent {
  readonly cluster: string;
  readonly sealed: number;
  readonly delay: number;
}

/** A reader of changes whose position goes through its cursor. Each segment is about a new Job. */
function openReader({ scope = "everything" }: { readonly scope?: Scope } = {}) {
  const tracker = new SmallTracker();
  const requests: string[] = [];
  const { jobs, meta, log } = tracker.ports;
  const ports = { jobs, meta: countedStore(meta, requests), log: countedStore(log, requests) };
  let cursor: string | undefined;
  const longest = { cursor: 0 };
  const read = async (now: Instant, limit = 1_000) => {
    const query = { filter: {}, limit, now, cursor, since: BEGIN };
    const page = await listChanges(ports, scope, query);
    if (page.outcome === "badCursor") throw new Error(page.problem);
    cursor = page.nextCursor;
    longest.cursor = Math.max(longest.cursor, cursor.length);
    return { ...page, names: page.items.map(({ job }) => job.name) };
  };
  const send = async (name: string, { cluster, sealed, delay }: Sent): Promise<void> => {
    const story = new Story(name);
    story.jobCreated();
    await tracker.tell(story.facts, BEGIN + sealed, BEGIN + sealed + delay, cluster);
  };
  /** Registers clusters that have sent nothing. */
  const register = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await meta.write("cluster", clusterOf(`cluster-${n}`), { value: "{}", expected: 0 });
    }
  };
  return { read, send, register, requests, longest, everything: async (now: Instant) => untilDone(() => read(now)) };
}

/** Reads until nothing more is available, and returns all names. */
async function untilDone(read: () => Promise<{ readonly names: readonly string[]; readonly more: boolean }>) {
  const names: string[] = [];
  for (let more = true; more;) {
    const page = await read();
    names.push(...page.names);
    ({ more } = page);
  }
  return names;
}

const sent = fc.array(
  fc.record({
    cluster: fc.constantFrom("east", "north", "west"),
    sealed: fc.integer({ min: 0, max: 60_000 }),
    delay: fc.oneof(
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 600_000 }),
    ),
  }),
  { maxLength: 20 },
);

describe("a reader of several clusters", () => {
  it("gets every change, whenever it arrives and however little the reader takes at once", async () => {
    await fc.assert(
      fc.asyncProperty(sent, fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }), async (drawn, takes) => {
        const { read, send, everything } = openReader();
        const given = new Set<string>();
        const arriving = [...drawn.entries()].sort(([, a], [, b]) => a.sealed + a.delay - b.sealed - b.delay);
        for (const [index, [n, segment]] of arriving.entries()) {
          await send(`job-${n}`, segment);
          const { names } = await read(BEGIN + segment.sealed + segment.delay, takes[index % takes.length] ?? 1);
          for (const name of names) given.add(name);
        }
        for (const name of await everything(BEGIN + 1_000_000)) given.add(name);
        expect(given.size).toBe(drawn.length);
      }),
      { numRuns: 60 },
    );
  });

  it("gets each change once, in order within a cluster, if it reads every second", async () => {
    const { read, send } = openReader();
    const names: string[] = [];
    for (let second = 0; second < 60; second += 1) {
      const cluster = ["east", "north", "west"][second % 3] ?? "east";
      await send(`job-${second}`, { cluster, sealed: second * 1_000, delay: 400 });
      names.push(...(await read(BEGIN + second * 1_000 + 500)).names);
    }
    for (let second = 60; second < 100; second += 1) names.push(...(await read(BEGIN + second * 1_000)).names);
    expect(names).toEqual(Array.from({ length: 60 }, (_, n) => `job-${n}`));
  });

  it("gets a burst of more segments than its cursor lists, each once", async () => {
    const { read, send, longest } = openReader();
    for (let n = 0; n < 150; n += 1) await send(`job-${n}`, { cluster: "east", sealed: 1_000 + n, delay: 10 });
    const names: string[] = [];
    for (let second = 2; second < 40; second += 1) names.push(...(await read(BEGIN + second * 1_000, 100)).names);
    expect(names.toSorted()).toEqual(Array.from({ length: 150 }, (_, n) => `job-${n}`).toSorted());
    expect(longest.cursor).toBeLessThanOrEqual(1_024);
  });

  it("gets clusters that are registered between two pages of a pass", async () => {
    const { read, send, everything } = openReader();
    for (let n = 0; n < 4; n += 1) await send(`job-${n}`, { cluster: "middle", sealed: n * 1_000, delay: 10 });
    expect((await read(BEGIN + 60_000, 2)).names).toEqual(["job-0", "job-1"]);
    await send("before", { cluster: "east", sealed: 59_000, delay: 1_500 });
    await send("after", { cluster: "west", sealed: 59_000, delay: 1_500 });
    const rest = [...(await everything(BEGIN + 61_000)), ...(await everything(BEGIN + 90_000))];
    expect(rest.toSorted()).toEqual(["after", "before", "job-2", "job-3"]);
  });
});

describe("a reader of 2,000 clusters", () => {
  it("has a cursor of at most 1,024 bytes, and gets what settled in 20 calls of 100 clusters", async () => {
    const { register, send, everything, longest, requests } = openReader();
    await register(2_000);
    await send("first", { cluster: "cluster-0", sealed: 1_000, delay: 100 });
    await send("last", { cluster: "cluster-999", sealed: 2_000, delay: 100 });
    requests.length = 0;
    expect(await everything(BEGIN + 60_000)).toEqual(["first", "last"]);
    expect(longest.cursor).toBeLessThanOrEqual(1_024);
    // Two requests for each cluster, the list of the clusters in each call, and the last cluster of a call again.
    expect(requests.length).toBeLessThanOrEqual(2 * 2_000 + 20 * 4 + 20 * 2 + 10);
  });

  it("gets changes once they have settled", async () => {
    const { register, send, everything } = openReader();
    await register(40);
    await send("report", { cluster: "cluster-7", sealed: 1_000, delay: 100 });
    expect(await everything(BEGIN + 2_000)).toEqual([]);
    expect(await everything(BEGIN + 17_000)).toEqual(["report"]);
    expect(await everything(BEGIN + 18_000)).toEqual([]);
  });
});

describe("a reader who may see one of 1,000 clusters", () => {
  it("reads that one only", async () => {
    const scope = { grants: [{ cluster: "cluster-7", namespaces: "all" as const }] };
    const { register, send, everything, requests } = openReader({ scope });
    await register(1_000);
    await send("mine", { cluster: "cluster-7", sealed: 1_000, delay: 100 });
    await send("foreign", { cluster: "cluster-8", sealed: 1_000, delay: 100 });
    requests.length = 0;
    expect(await everything(BEGIN + 60_000)).toEqual(["mine"]);
    expect(requests.filter((name) => name === "readDay")).toHaveLength(1);
  });
});
