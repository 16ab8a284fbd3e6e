import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { DayBook } from "../../../src/ingest/day-book.ts";
import { ingestSegment } from "../../../src/ingest/ingest-segment.ts";
import type { Fact } from "../../../src/job/fact.ts";
import { parseInstant } from "../../../src/job/instant.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/names.ts";
import { MemoryJobStore } from "../../support/memory-job-store.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { MemoryMetaStore } from "../../support/memory-meta-store.ts";
import { Story } from "../../support/story.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;
const RETRY = { attempts: 1, pause: async () => {} };

/** A server to which something is told at a second of its own; its time goes on while a watch waits. */
function openServer(plot: Readonly<Record<number, () => readonly Fact[]>>) {
  const ports = { jobs: new MemoryJobStore(), log: new MemoryLog(), meta: new MemoryMetaStore() };
  const days = new DayBook(ports.meta);
  let now = BEGIN;
  let sequence = 0;
  const tell = async (facts: readonly Fact[]): Promise<void> => {
    const named = { cluster: clusterNamed("east"), session: "0123456789abcdef", sequence, sealedAt: now };
    sequence += 1;
    const ingested = await ingestSegment({ ...ports, days }, sealSegment({ ...named, facts }).bytes, now);
    if (ingested.outcome === "appended") await projectSegments(ports, [ingested.item], RETRY);
  };
  const pause = async (): Promise<boolean> => {
    now += 1_000;
    const facts = plot[(now - BEGIN) / 1_000]?.() ?? [];
    if (facts.length > 0) await tell(facts);
    return true;
  };
  const app = createApi({
    stores: {
      projections: { open: () => ports.jobs, clear: async () => "empty" as const },
      meta: ports.meta,
      log: ports.log,
    },
    access: { kind: "inProcess" },
    now: () => now,
    pause,
    version: "0",
    onError: throwOn,
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
  };
}

function throwOn(error: Error): void {
  throw error;
}

/** What a story told since it was asked before. */
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

  it("ends its initial events with a bookmark where that is asked for, and has bookmarks", async () => {
    const events = await (await server()).watch(
      `${JOBS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1`,
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
    const events = await (await server()).watch(`${JOBS}?watch=true&fieldSelector=state%3DComplete`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED"]);
  });

  it("as a table names its columns once", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const events = await (await server()).watch(`${JOBS}?watch=true`, { accept });
    expect(events.map(({ object }) => object.columnDefinitions !== null)).toEqual([true, false, false, false]);
  });
});
