import { describe, expect, it } from "vitest";
import { CHANGE_COLUMNS, changesQuery, firstChanges, follow } from "../../../cli/query/follow-changes.ts";
import { createApi } from "../../../src/http/create-api.ts";
import { CHANGE_SHARDS, ChangeFeed } from "../../../src/projection/changes/change-feed.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { CountedMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { storesOver } from "../../support/stores/stores-with-facts.ts";
import { changeNamed } from "../../support/story/announced.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const OPTIONS = { output: "table", headers: true, color: "never", limit: 500 } as const;

describe("the query for changes", () => {
  it("begins at --since", () => {
    const query = changesQuery({ ...OPTIONS, since: "2026-01-01T00:00:00Z", state: ["Failed", "Deleted"] });
    expect(query).toMatchObject({ since: "2026-01-01T00:00:00Z", state: "Failed,Deleted", limit: 500 });
  });

  it("continues at a cursor instead of --since", () => {
    const query = changesQuery({ ...OPTIONS, since: "2026-01-01T00:00:00Z", cursor: "c1" });
    expect(query["since"]).toBeUndefined();
    expect(query["cursor"]).toBe("c1");
  });
});

describe("the first changes", () => {
  it("are on the first page that has any, behind empty pages", async () => {
    const item = { job: listedJob() };
    const pages = [
      { items: [], nextCursor: "c1", more: true },
      { items: [], nextCursor: "c2", more: true },
      { items: [item], nextCursor: "c3", more: true },
    ];
    const asked: string[] = [];
    const request = async (path: string): Promise<Response> => {
      asked.push(path);
      return Response.json(pages[asked.length - 1]);
    };
    const api = { request, name: "test", close: async () => {} };
    expect(await firstChanges(api, { ...OPTIONS, since: "2026-01-01T00:00:00Z" })).toEqual(pages[2]);
    expect(asked.map((path) => new URLSearchParams(path.split("?")[1]).get("cursor"))).toEqual([null, "c1", "c2"]);
  });

  it("are none on a last page that is empty", async () => {
    const page = { items: [], nextCursor: "c1", more: false };
    const api = { request: async () => Response.json(page), name: "test", close: async () => {} };
    expect(await firstChanges(api, OPTIONS)).toEqual(page);
  });
});

/** A deployed stage, whose clock advances while its follower pauses for so many seconds. */
function deployedStage({ seconds }: { readonly seconds: number }) {
  const meta = new CountedMetaStore();
  let now = NOON;
  const feed = new ChangeFeed(meta, () => now);
  const stores = storesOver({ jobs: new MemoryJobStore(), log: new MemoryLog(), meta });
  const app = createApi({ stores, access: { kind: "inProcess" }, now: () => now, version: "0", onError: rethrow });
  const paths: string[] = [];
  const request = async (path: string): Promise<Response> => {
    paths.push(path);
    return app.request(path);
  };
  const lines: string[] = [];
  const host = {
    write: (line: string) => void lines.push(line),
    pause: async (milliseconds: number) => {
      now += milliseconds;
      return now < NOON + seconds * 1_000;
    },
  };
  return {
    feed,
    paths,
    lines,
    meta,
    follow: () =>
      follow({ request, canStream: async () => false, name: "stage", close: async () => {} }, OPTIONS, host),
  };
}

describe("a follower of a server that cannot stream", () => {
  it("sends 22 requests in ten idle minutes, none of which waits or reads a list of Jobs", async () => {
    const stage = deployedStage({ seconds: 600 });
    await stage.follow();
    expect(stage.paths).toHaveLength(22);
    expect(stage.paths.filter((path) => !path.startsWith("/v1/changes?") || path.includes("waitSeconds"))).toEqual([]);
    // One query of each partition; of the first three polls, one before and one after what has settled.
    const reads = stage.meta.takeReads();
    expect(new Set(reads)).toEqual(new Set(["changes"]));
    expect(reads).toHaveLength((3 * 2 + 19) * CHANGE_SHARDS);
  });

  it("prints a change once, and asks again after five seconds", async () => {
    const stage = deployedStage({ seconds: 70 });
    await stage.feed.append([changeNamed("report")]);
    await stage.follow();
    expect(stage.lines.filter((line) => line.includes("report"))).toHaveLength(1);
    // 0, 5, 15, 35 and 65 s.
    expect(stage.paths).toHaveLength(5);
  });
});

describe("a follower of a server that can stream", () => {
  it("lets it wait for changes", async () => {
    const asked: string[] = [];
    const request = async (path: string): Promise<Response> => {
      asked.push(path);
      return asked.length < 3
        ? Response.json({ items: [], nextCursor: "c1", more: false })
        : Response.json({ title: "", status: 401, detail: "The token has expired." }, { status: 401 });
    };
    const host = { write: () => {}, pause: async () => false };
    const api = { request, canStream: async () => true, name: "test", close: async () => {} };
    await expect(follow(api, OPTIONS, host)).rejects.toThrow("The token has expired.");
    expect(asked.every((path) => path.includes("waitSeconds=25"))).toBe(true);
  });
});

const cellsOf = (change: Parameters<(typeof CHANGE_COLUMNS)[number]["cell"]>[0]) =>
  Object.fromEntries(CHANGE_COLUMNS.map(({ header, cell }) => [header, cell(change)]));

describe("the columns of a change", () => {
  it("have the state before and after", () => {
    expect(cellsOf({ previous: "Running", job: listedJob() })).toMatchObject({ BEFORE: "Running", STATUS: "Complete" });
  });

  it("have a dash instead of an earlier state for a new Job", () => {
    expect(cellsOf({ job: listedJob() })).toMatchObject({ BEFORE: "-", FINDINGS: "-" });
  });

  it("have the reason, and the deletion of a Job in another state", () => {
    const verdict = { state: "Failed", final: true, basis: "both", reason: "BackoffLimitExceeded" } as const;
    const job = listedJob({ verdict, deletedAt: "2026-01-01T00:01:00Z" });
    expect(cellsOf({ previous: "Failed", job })).toMatchObject({ STATUS: "Failed (BackoffLimitExceeded), deleted" });
  });
});
