import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../src/http/contract/problem.ts";
import { apiOver, apiWith } from "../support/http/request-api.ts";
import { listedJob, second, storesWith } from "../support/story/listed-job.ts";

const jobs = [1, 2, 3].map((number) =>
  listedJob({ uid: `u${number}`, name: `job-${number}`, createdAt: second(number) }),
);
const JOB = "/v1/clusters/east/namespaces/batch/jobs";

describe("an invalid request", () => {
  it.each<[string, string, RequestInit, number, string, RegExp]>([
    ["an unknown route", "/", {}, 404, "no-such-route", /\/v1\/openapi\.json/],
    ["a misspelled route", "/v1/job", {}, 404, "no-such-route", /Did you mean \/v1\/jobs/],
    ["a trailing slash", "/v1/jobs/", {}, 404, "no-such-route", /No route matches/],
    ["a path that is not UTF-8", "/v1/%ff%fe", {}, 404, "no-such-route", /No route matches/],
    ["POST", "/v1/jobs", { method: "POST" }, 405, "method-not-allowed", /GET/],
    ["a CORS preflight", "/v1/jobs", { method: "OPTIONS" }, 405, "method-not-allowed", /GET/],
    ["DELETE", `${JOB}/job-1`, { method: "DELETE" }, 405, "method-not-allowed", /GET/],
    ["an unknown parameter", "/v1/jobs?colour=red", {}, 400, "bad-parameter", /"colour".*is unknown/],
    ["a misspelled parameter", "/v1/jobs?namspace=a", {}, 400, "bad-parameter", /did you mean namespace/],
    ["a parameter of another route", "/v1/clusters?limit=1", {}, 400, "bad-parameter", /takes no parameters/],
    ["a parameter of the document", "/v1/openapi.json?x=1", {}, 400, "bad-parameter", /takes no parameters/],
    ["__proto__ as a parameter", "/v1/jobs?__proto__=1", {}, 400, "bad-parameter", /__proto__/],
    ["a repeated parameter", "/v1/jobs?limit=1&limit=2", {}, 400, "bad-parameter", /given 2 times/],
    ["a limit of 0", "/v1/jobs?limit=0", {}, 400, "bad-parameter", /1 to 500/],
    ["a limit above the maximum", "/v1/jobs?limit=501", {}, 400, "bad-parameter", /1 to 500/],
    ["a limit that is not an integer", "/v1/jobs?limit=1e2", {}, 400, "bad-parameter", /1 to 500/],
    ["a negative limit", "/v1/jobs?limit=-1", {}, 400, "bad-parameter", /1 to 500/],
    ["an empty namespace", "/v1/jobs?namespace=", {}, 400, "bad-parameter", /1 to 253/],
    [
      "an unknown state",
      "/v1/jobs?state=complet",
      {},
      400,
      "bad-parameter",
      /did you mean Complete\?.*Pending, Running/,
    ],
    [
      "a state of 10 kB",
      `/v1/jobs?state=${"x".repeat(10_000)}`,
      {},
      400,
      "bad-parameter",
      /"x{100}\.\.\." is not a state/,
    ],
    ["an invalid time", "/v1/jobs?createdAfter=yesterday", {}, 400, "bad-parameter", /RFC 3339/],
    ["a duration in the future", "/v1/jobs?createdAfter=-2h", {}, 400, "bad-parameter", /no sign/],
    ["a date that does not exist", "/v1/jobs?createdAfter=2026-02-31T25:00:00Z", {}, 400, "bad-parameter", /RFC 3339/],
    [
      "an incomplete selector",
      "/v1/jobs?labelSelector=a%20in%20(b",
      {},
      400,
      "bad-parameter",
      /character 8 of "a in \(b": "a in \(b>>>"/,
    ],
    ["an unknown field", "/v1/jobs?fieldSelector=spec.x%3D1", {}, 400, "bad-parameter", /not a field to select by/],
    ["an unknown order", "/v1/jobs?sort=size", {}, 400, "bad-parameter", /created, started, finished, duration, name/],
    ["an invalid flag", "/v1/jobs?attention=maybe", {}, 400, "bad-parameter", /true or false/],
    [
      "a range that ends before it begins",
      "/v1/jobs?finishedAfter=2026-02-01T00:00:00Z&finishedBefore=2026-01-01T00:00:00Z",
      {},
      400,
      "bad-parameter",
      /"finishedBefore".*exchange the two/,
    ],
    [
      "an empty range",
      "/v1/summary?createdAfter=2026-02-01T00:00:00Z&createdBefore=2026-02-01T00:00:00Z",
      {},
      400,
      "bad-parameter",
      /"createdBefore".*exchange the two/,
    ],
    ["an instant in the future", `${JOB}/job-1?asOf=2126-01-01T00:00:00Z`, {}, 400, "bad-parameter", /in the future/],
    ["an unknown goal", `${JOB}/job-1/wait?for=done`, {}, 400, "bad-parameter", /complete, failed, finished/],
    ["a timeout above the maximum", `${JOB}/job-1/wait?timeoutSeconds=26`, {}, 400, "bad-parameter", /0 to 25/],
    ["an empty batch", "/v1/clusters/east/jobs/batch", {}, 400, "bad-parameter", /1 to 100/],
    [
      "a batch of names without namespaces",
      "/v1/clusters/east/jobs/batch?job=a",
      {},
      400,
      "bad-parameter",
      /namespace\/name/,
    ],
    ["a forged cursor", "/v1/jobs?cursor=abc", {}, 400, "bad-cursor", /begin again/],
    ["a forged cursor of gaps", "/v1/gaps?cursor=abc", {}, 400, "bad-cursor", /begin again/],
    [
      "a body",
      "/v1/jobs",
      { method: "GET", headers: { "content-length": "3" } },
      400,
      "body-not-expected",
      /without a body/,
    ],
    [
      "a body in chunks",
      "/v1/jobs",
      { method: "GET", headers: { "transfer-encoding": "chunked" } },
      400,
      "body-not-expected",
      /without a body/,
    ],
    [
      "an invalid cluster name",
      "/v1/clusters/a%23b/namespaces/batch/jobs/x",
      {},
      400,
      "bad-parameter",
      /name of a cluster/,
    ],
    [
      "an unknown cluster",
      "/v1/clusters/eats/namespaces/batch/jobs/x",
      {},
      404,
      "no-such-cluster",
      /Known clusters: east/,
    ],
    ["an unknown Job", `${JOB}/jbo-1`, {}, 404, "no-such-job", /Did you mean job-1/],
    [
      "a Job of another namespace",
      "/v1/clusters/east/namespaces/web/jobs/job-1",
      {},
      404,
      "no-such-job",
      /exists in namespace batch, not in web/,
    ],
    ["an unknown uid", `${JOB}/job-1?uid=u9`, {}, 404, "no-such-job", /had the uids u1/],
    ["the Pods of an unknown Job", `${JOB}/zzz/pods`, {}, 404, "no-such-job", /Job "zzz" not found/],
    ["the history of an unknown Job", `${JOB}/zzz/history`, {}, 404, "no-such-job", /Job "zzz" not found/],
    ["the indexes of an unknown Job", `${JOB}/zzz/indexes`, {}, 404, "no-such-job", /Job "zzz" not found/],
    ["why, of an unknown Job", `${JOB}/zzz/why`, {}, 404, "no-such-job", /Job "zzz" not found/],
  ])("with %s is answered with a problem that says what to do", async (_, path, init, status, kind, detail) => {
    const { ask, errors } = await apiWith(jobs);
    const answer = await ask(path, init);
    const problem = answer.body as Problem;
    expect(errors).toEqual([]);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(problem).toMatchObject({ type: `urn:outlive:problem:${kind}`, status });
    expect(problem.title).not.toBe("");
    expect(problem.detail).toMatch(detail);
  });

  it("is answered with all invalid parameters at once", async () => {
    const { ask } = await apiWith(jobs);
    const { body } = await ask("/v1/jobs?limit=0&colour=red&state=Done");
    expect((body as Problem).errors?.map(({ name }) => name).toSorted()).toEqual(["colour", "limit", "state"]);
  });

  it("with another method is answered with the supported methods", async () => {
    const { ask } = await apiWith(jobs);
    expect((await ask("/v1/jobs", { method: "PUT" })).headers.get("allow")).toBe("GET, HEAD");
  });

  it("with a cursor of another query is refused", async () => {
    const { ask } = await apiWith(jobs);
    const { body } = await ask("/v1/jobs?limit=1");
    const { nextCursor } = body as { readonly nextCursor: string };
    expect((await ask(`/v1/jobs?limit=1&cursor=${nextCursor}`)).status).toBe(200);
    const refused = await ask(`/v1/jobs?limit=1&namespace=batch&cursor=${nextCursor}`);
    expect(refused.status).toBe(400);
    expect((refused.body as Problem).detail).toMatch(/another query/);
  });

  it("is answered with 500 without details when the store fails", async () => {
    const { meta, log } = await storesWith(jobs);
    const broken = {
      open: () => {
        throw new Error("secret path");
      },
      runs: () => new MemoryJobStore(),
      clear: async () => "empty" as const,
    };
    const { ask, errors } = apiOver({ projections: broken, meta, log });
    const answer = await ask("/v1/jobs");
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("secret");
    expect(errors.map(({ message }) => message)).toEqual(["secret path"]);
  });
});

describe("a server whose store cannot be read", () => {
  it("is healthy, and is not ready", async () => {
    const { meta, log } = await storesWith([]);
    const broken = {
      open: () => {
        throw new Error("no store");
      },
      runs: () => new MemoryJobStore(),
      clear: async () => "empty" as const,
    };
    const { ask } = apiOver({ projections: broken, meta, log });
    expect((await ask("/v1/healthz")).status).toBe(200);
    expect(await ask("/v1/readyz")).toMatchObject({ status: 503, body: { type: "urn:outlive:problem:not-ready" } });
  });
});
