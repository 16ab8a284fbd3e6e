import { describe, expect, it } from "vitest";
import { createApi } from "../../src/http/create-api.ts";
import type { OptionalApi } from "../../src/http/optional-api.ts";
import { ReaderLeftError } from "../../src/http/reader-left.ts";
import type { AnsweredRequest } from "../../src/http/request-meter.ts";
import { OpenStreams } from "../../src/http/streams/open-streams.ts";
import { rethrow } from "../support/running/rethrow.ts";
import { Story } from "../support/story/story.ts";
import { storesWithFacts } from "../support/stores/stores-with-facts.ts";

const JOB = "/v1/clusters/east/namespaces/default/jobs";
const JOB_TEMPLATE = "/v1/clusters/{cluster}/namespaces/{namespace}/jobs/{name}";

/** An API of another part: one that fails, and one whose client leaves. */
const other: OptionalApi = {
  paths: ["/clusters/:cluster/failing", "/leaving"],
  serve: async (context) => {
    throw context.req.path === "/leaving" ? new ReaderLeftError() : new Error("broken");
  },
};

/** The API over a Job that waits. Time passes only while an answer waits for a change. */
async function measuredApi() {
  const answered: AnsweredRequest[] = [];
  const errors: string[] = [];
  const streams = new OpenStreams();
  let elapsed = 0;
  const story = new Story();
  story.jobCreated();
  const app = createApi({
    stores: await storesWithFacts(story.facts),
    access: { kind: "inProcess" },
    now: () => elapsed,
    pause: async (milliseconds) => {
      elapsed += milliseconds;
      return true;
    },
    serverMetrics: {
      onAnswered: (request) => answered.push(request),
      elapsed: () => elapsed,
      text: async (format) => `# ${format}\nown 1\n`,
    },
    apis: [other],
    streams,
    version: "0.0.0",
    onError: ({ message }) => errors.push(message),
  });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.request(path, init);
    return { response, request: answered.at(-1) };
  };
  return { ask, answered, errors, streams, now: () => elapsed };
}

describe("a measured request", () => {
  it.each<[string, string, RequestInit, Partial<AnsweredRequest>]>([
    ["of a list", "/v1/jobs?limit=1", {}, { method: "GET", route: "/v1/jobs", status: 200 }],
    ["with names in its path", `${JOB}/render`, {}, { route: JOB_TEMPLATE, status: 200 }],
    ["about an unknown Job", `${JOB}/other`, {}, { route: JOB_TEMPLATE, status: 404 }],
    ["with a wrong parameter", "/v1/jobs?limit=0", {}, { route: "/v1/jobs", status: 400 }],
    ["with a method of no route", "/v1/jobs", { method: "POST" }, { method: "POST", route: "/v1/jobs", status: 405 }],
    ["with HEAD", "/v1/jobs", { method: "HEAD" }, { method: "HEAD", route: "/v1/jobs", status: 200 }],
    ["of an unknown path", "/v1/jobs/secret-name", {}, { route: "unmatched", status: 404 }],
    ["that is too long", `/v1/jobs?name=${"x".repeat(20_000)}`, {}, { route: "unmatched", status: 414 }],
    ["of the OpenAPI document", "/v1/openapi.json", {}, { route: "/v1/openapi.json", status: 200 }],
    ["that fails", "/clusters/east/failing", {}, { route: "/clusters/{cluster}/failing", status: 500 }],
    ["whose client has left", "/leaving", {}, { route: "/leaving", status: 499 }],
  ])("%s has the template of its route and its status", async (_, path, init, expected) => {
    const { ask } = await measuredApi();
    expect((await ask(path, init)).request).toMatchObject(expected);
  });

  it.each(["/wait?timeoutSeconds=20", "/wait"])("does not count the time in which %s waits", async (query) => {
    const { ask, now } = await measuredApi();
    const { request } = await ask(`${JOB}/render${query}`);
    expect(now()).toBeGreaterThanOrEqual(20_000);
    expect(request).toMatchObject({ status: 200, milliseconds: 0 });
  });

  it("does not count the time in which a page of changes waits", async () => {
    const { ask, now } = await measuredApi();
    const { request } = await ask("/v1/changes?waitSeconds=10");
    expect(now()).toBeGreaterThanOrEqual(10_000);
    expect(request).toMatchObject({ route: "/v1/changes", milliseconds: 0 });
  });

  it("ends when a stream begins", async () => {
    const { ask, streams } = await measuredApi();
    const { response, request } = await ask("/v1/changes", { headers: { accept: "text/event-stream" } });
    expect([request?.status, streams.size]).toEqual([200, 1]);
    streams.endAll();
    await response.body?.cancel();
  });

  it("is counted once", async () => {
    const { ask, answered, errors } = await measuredApi();
    await ask("/v1/jobs");
    await ask("/leaving");
    expect(answered).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("is answered where nothing is measured", async () => {
    const stores = await storesWithFacts([]);
    const access = { kind: "inProcess" } as const;
    const app = createApi({ stores, access, now: () => 0, version: "0", onError: rethrow });
    expect((await app.request("/v1/jobs")).status).toBe(200);
  });
});
