import { describe, expect, it } from "vitest";
import { parseInstant } from "../../../../src/job/model/instant.ts";
import { watchedServer, type WatchEvent } from "../../../support/http/watched-server.ts";

const BEGIN = parseInstant("2026-01-01T00:00:00Z") ?? 0;
const server = () => watchedServer(BEGIN);

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const types = (events: readonly WatchEvent[]): readonly string[] => events.map(({ type }) => type);

describe("a watch", () => {
  it("of Jobs begins with the existing ones and sends changes; a Job that is deleted stays", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
    expect(events.at(2)?.object.status?.conditions).toMatchObject([{ type: "Complete" }]);
    expect(events.at(-1)?.object.metadata.annotations).toHaveProperty("outlive/deleted-at");
  });

  it("from a resourceVersion sends only later changes", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true&resourceVersion=${BEGIN + 30_000}`);
    expect(types(events)).toEqual(["MODIFIED", "MODIFIED", "MODIFIED"]);
  });

  it("from a resourceVersion sends again what may have arrived a moment after it was returned", async () => {
    const events = await (await server()).watch(`${JOBS}?watch=true&resourceVersion=${BEGIN + 5_000}`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
  });

  it("from a resourceVersion begins with the existing objects if the client requests them", async () => {
    const asked = `sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${BEGIN + 30_000}`;
    const events = await (await server()).watch(`${JOBS}?watch=true&${asked}&timeoutSeconds=1`);
    expect(types(events)).toEqual(["ADDED", "BOOKMARK"]);
  });

  it("of Pods sends what became of each", async () => {
    const events = await (await server()).watch("/api/v1/pods?watch=true&labelSelector=job-name%3Dreport");
    expect(events.map(({ type, object }) => [type, object.status?.phase])).toEqual([
      ["ADDED", "Running"],
      ["MODIFIED", "Succeeded"],
    ]);
  });

  it("of one name sends nothing about others, and of a selector what begins to match it", async () => {
    expect(await (await server()).watch(`${JOBS}?watch=true&fieldSelector=metadata.name%3Dother`)).toEqual([]);
    expect(await (await server()).watch("/api/v1/pods?watch=true&fieldSelector=metadata.name%3Dother")).toEqual([]);
    const events = await (await server()).watch(`${JOBS}?watch=true&fieldSelector=state%3DComplete`);
    expect(types(events)).toEqual(["ADDED", "MODIFIED"]);
  });

  it("of namespaces and of one Job's Events begins with the existing ones, and stays open", async () => {
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
