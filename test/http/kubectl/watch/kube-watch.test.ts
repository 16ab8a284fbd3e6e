import { describe, expect, it } from "vitest";
import { createApi } from "../../../../src/http/create-api.ts";
import { OpenStreams } from "../../../../src/http/streams/open-streams.ts";
import type { Fact } from "../../../../src/job/model/fact.ts";
import { parseInstant } from "../../../../src/job/model/instant.ts";
import { listedJob, storesWith } from "../../../support/story/listed-job.ts";
import { rethrow } from "../../../support/running/rethrow.ts";
import { SmallTracker } from "../../../support/stores/small-tracker.ts";
import { Story } from "../../../support/story/story.ts";
import { storesOver } from "../../../support/stores/stores-with-facts.ts";
import { API_PARTS } from "../../../../src/host/optional/api-parts.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;

/** A server that receives facts at given seconds. Its clock advances while a watch waits. */
function openServer(plot: Readonly<Record<number, () => readonly Fact[]>>) {
  const tracker = new SmallTracker();
  let now = BEGIN;
  const tell = (facts: readonly Fact[]): Promise<void> => tracker.tell(facts, now);
  const pause = async (): Promise<boolean> => {
    now += 1_000;
    const facts = plot[(now - BEGIN) / 1_000]?.() ?? [];
    if (facts.length > 0) await tell(facts);
    return true;
  };
  const app = createApi({
    ...API_PARTS,
    stores: tracker.stores,
    access: { kind: "inProcess" },
    now: () => now,
    pause,
    version: "0",
    onError: rethrow,
  });
  return {
    tell,
    pass: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) await pause();
    },
    watch: async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const text = await (await app.request(path, { headers })).text();
      return text
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as WatchEvent);
    },
  };
}

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly annotations?: object };
    readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string }[] };
    readonly columnDefinitions?: unknown;
    readonly reason?: string;
  };
}

/** The facts of a story since the last call. */
function teller(story: Story): () => readonly Fact[] {
  let told = 0;
  return () => {
    const facts = story.facts.slice(told);
    told = story.facts.length;
    return facts;
  };
}

/** A Job that is there, starts a Pod at second 2, completes at 4 and is deleted at 6. */
async function server() {
  const story = new Story("report");
  const next = teller(story);
  story.jobCreated();
  story.jobTracked();
  const opened = openServer({
    32: () => {
      story.podCreated("a", { index: 0 });
      story.podStarted("a");
      return next();
    },
    34: () => {
      story.podTerminated("a", "Succeeded");
      story.jobFinished("Complete");
      return next();
    },
    36: () => {
      story.jobDeleted();
      return next();
    },
  });
  await opened.tell(next());
  await opened.pass(30);
  return opened;
}

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const types = (events: readonly WatchEvent[]): readonly string[] => events.map(({ type }) => type);

describe("a watch", () => {
  it("of Jobs begins with what there is, and tells what changes; a Job that is deleted stays", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
    expect(events.at(2)?.object.status?.conditions).toMatchObject([{ type: "Complete" }]);
    expect(events.at(-1)?.object.metadata.annotations).toHaveProperty("outlive/deleted-at");
  });

  it("from a resourceVersion tells only what came later", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true&resourceVersion=${BEGIN + 30_000}`);
    expect(types(events)).toEqual(["MODIFIED", "MODIFIED", "MODIFIED"]);
  });

  it("from a resourceVersion tells again what may have arrived a moment after it was given out", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true&resourceVersion=${BEGIN + 5_000}`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
  });

  it("from a resourceVersion begins with the existing objects if the client requests them", async () => {
    const asked = `sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${BEGIN + 30_000}`;
    const events = await (await server()).watch(`${JOBS}?watch=true&${asked}&timeoutSeconds=1`);
    expect(types(events)).toEqual(["ADDED", "BOOKMARK"]);
  });

  it("ends its initial events with a bookmark, and sends bookmarks, if the client requests them", async () => {
    const events = await (
      await server()
    ).watch(
      `${JOBS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan` +
        "&allowWatchBookmarks=true&timeoutSeconds=1",
    );
    expect(types(events)).toEqual(["ADDED", "BOOKMARK"]);
    expect(events[1]?.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });

  it("of Pods tells what became of each", async () => {
    const events = await (await server()).watch("/api/v1/pods?watch=true&labelSelector=job-name%3Dreport");
    expect(events.map(({ type, object }) => [type, object.status?.phase])).toEqual([
      ["ADDED", "Running"],
      ["MODIFIED", "Succeeded"],
    ]);
  });

  it("of one name tells nothing of others, and of a selector what comes to meet it", async () => {
    expect(await (await server()).watch(`${JOBS}?watch=true&fieldSelector=metadata.name%3Dother`)).toEqual([]);
    expect(await (await server()).watch("/api/v1/pods?watch=true&fieldSelector=metadata.name%3Dother")).toEqual([]);
    const events = await (await server()).watch(`${JOBS}?watch=true&fieldSelector=state%3DComplete`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED"]);
  });

  it("as a table names its columns once", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const events = await (await server()).watch(`${JOBS}?watch=true`, { accept });
    expect(events.map(({ object }) => object.columnDefinitions !== null)).toEqual([true, false, false, false]);
  });

  it("of namespaces and of one Job's Events begins with what there is, and stays open", async () => {
    expect(types(await (await server()).watch("/api/v1/namespaces?watch=true"))).toEqual(["ADDED"]);
    const about = "involvedObject.kind%3DJob%2CinvolvedObject.name%3Dreport";
    const events = await (await server()).watch(`/api/v1/namespaces/default/events?watch=true&fieldSelector=${about}`);
    expect(events.map(({ type, object }) => `${type} ${object.reason}`)).toEqual([
      "ADDED JobCreated",
      "ADDED JobSpecified",
      "ADDED PodCreated",
      "ADDED PodTerminated",
      "ADDED JobFinished",
      "ADDED JobDeleted",
    ]);
  });
});

describe("a watch of very much", () => {
  it("is sent as fast as its client reads, and is not disconnected during its initial events", async () => {
    const labels = { note: "x".repeat(3_000) };
    const jobs = Array.from({ length: 300 }, (_, number) =>
      listedJob({ uid: `u${number}`, name: `job-${number}`, labels }),
    );
    const streams = new OpenStreams();
    const app = createApi({
      ...API_PARTS,
      stores: storesOver(await storesWith(jobs)),
      access: { kind: "inProcess" },
      now: () => BEGIN,
      pause: async () => false,
      version: "0",
      onError: rethrow,
      streams,
    });
    const path = "/apis/batch/v1/jobs?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const lines = (await (await app.request(path)).text()).trim().split("\n");
    expect(lines).toHaveLength(jobs.length + 1);
    expect(lines.at(-1)).toContain("initial-events-end");
    expect(streams.size).toBe(0);
  });
});
