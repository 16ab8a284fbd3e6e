import { describe, expect, it } from "vitest";
import { createApi } from "../../../../src/http/create-api.ts";
import { OpenStreams } from "../../../../src/http/streams/open-streams.ts";
import { parseInstant } from "../../../../src/job/model/instant.ts";
import { API_PARTS } from "../../../../src/host/optional/api-parts.ts";
import { watchedServer, type WatchEvent } from "../../../support/http/watched-server.ts";
import { rethrow } from "../../../support/running/rethrow.ts";
import { storesOver } from "../../../support/stores/stores-with-facts.ts";
import { listedJob, storesWith } from "../../../support/story/listed-job.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;
const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
const types = (events: readonly WatchEvent[]): readonly string[] => events.map(({ type }) => type);

describe("the answer to a watch", () => {
  it("has the same events in a Lambda function, which sends them at once, and in a stream", async () => {
    const path = `${JOBS}?watch=true&timeoutSeconds=10`;
    const whole = await (await watchedServer(BEGIN)).watch(path);
    const streamed = await (await watchedServer(BEGIN, new OpenStreams())).watch(path);
    expect(types(whole)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
    expect(streamed).toEqual(whole);
  });

  it.each([
    ["1", ["ADDED"]],
    ["3", ["ADDED", "MODIFIED"]],
    ["5", ["ADDED", "MODIFIED", "MODIFIED"]],
  ])("ends after the %s s that the client set", async (seconds, expected) => {
    const events = await (await watchedServer(BEGIN)).watch(`${JOBS}?watch=true&timeoutSeconds=${seconds}`);
    expect(types(events)).toEqual(expected);
  });

  it("reads the log twice in a Lambda function, at its beginning and its end", async () => {
    const server = await watchedServer(BEGIN);
    await server.pass(60);
    const short = await server.readsOf(`${JOBS}?watch=true&timeoutSeconds=2`);
    const long = await server.readsOf(`${JOBS}?watch=true&timeoutSeconds=20`);
    expect(long).toBe(short);
  });

  it("ends its initial events with a bookmark, and sends bookmarks, if the client requests them", async () => {
    const path = `${JOBS}?watch=true&${INITIAL}&allowWatchBookmarks=true&timeoutSeconds=1`;
    const events = await (await watchedServer(BEGIN)).watch(path);
    expect(types(events)).toEqual(["ADDED", "BOOKMARK"]);
    expect(events[1]?.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
  });

  it("sends a bookmark every minute if the client requests them", async () => {
    const path = `${JOBS}?watch=true&allowWatchBookmarks=true&timeoutSeconds=130&resourceVersion=${BEGIN + 60_000}`;
    const server = await watchedServer(BEGIN, new OpenStreams());
    await server.pass(30);
    const events = await server.watch(path);
    const versions = events
      .filter(({ type }) => type === "BOOKMARK")
      .map(({ object }) => object.metadata.resourceVersion);
    expect(versions.map((version) => Number(version) - BEGIN)).toEqual([120_000, 180_000]);
  });

  it("as a table names its columns once", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const events = await (await watchedServer(BEGIN)).watch(`${JOBS}?watch=true`, { accept });
    expect(events.map(({ object }) => object.columnDefinitions !== null)).toEqual([true, false, false, false]);
  });

  it("with very many objects is sent as fast as its client reads, which is not disconnected meanwhile", async () => {
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
    const lines = (await (await app.request(`/apis/batch/v1/jobs?watch=true&${INITIAL}`)).text()).trim().split("\n");
    expect(lines).toHaveLength(jobs.length + 1);
    expect(lines.at(-1)).toContain("initial-events-end");
    expect(streams.size).toBe(0);
  });
});
