import { describe, expect, it } from "vitest";
import { type Access, admit, isLoopbackHost } from "../../../src/http/access/access.ts";
import { bearerAccess } from "../../../src/http/access/token-access.ts";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const jobs = [listedJob()];

describe("an API with a token", () => {
  it.each([
    ["no token", undefined, 401],
    ["another token", "Bearer other", 401],
    ["a longer token", "Bearer secret2", 401],
    ["another scheme", "Basic c2VjcmV0", 401],
    ["an empty token", "Bearer ", 401],
    ["the token", "Bearer secret", 200],
    ["the token, the scheme in lower case", "bearer secret", 200],
  ])("answers %s", async (_, authorization, status) => {
    const { ask } = await apiWith(jobs, bearerAccess("secret"));
    const answer = await ask("/v1/jobs", authorization === undefined ? {} : { headers: { authorization } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Bearer realm="outlive"' : null);
  });

  it("asks for it on every route but health", async () => {
    const { ask } = await apiWith(jobs, bearerAccess("secret"));
    const routes = [
      "/v1/openapi.json",
      "/v1/clusters",
      "/v1/gaps",
      "/v1/summary",
      "/v1/usage",
      "/v1/clusters/east/namespaces/batch/jobs/report",
    ];
    expect(await Promise.all(routes.map(async (route) => (await ask(route)).status))).toEqual(routes.map(() => 401));
    expect((await ask("/v1/healthz")).status).toBe(200);
    expect((await ask("/v1/readyz")).status).toBe(200);
  });

  it("does not look at the Host header", async () => {
    const { ask } = await apiWith(jobs, bearerAccess("secret"));
    const headers = { authorization: "Bearer secret", host: "outlive.example.org" };
    expect((await ask("/v1/jobs", { headers })).status).toBe(200);
  });
});

describe("an API with an issuer and a token", () => {
  const access: Access = {
    kind: "oidc",
    verify: async (token: string) => ({ outcome: "refused", reason: `The issuer did not sign ${token}.` }),
    rules: { claim: "outlive", groupsClaim: "groups", groupGrants: {} },
    tokens: bearerAccess("secret").tokens,
  };

  it("does not ask the issuer about the token", async () => {
    const { ask } = await apiWith(jobs, access);
    expect((await ask("/v1/jobs", { headers: { authorization: "Bearer secret" } })).status).toBe(200);
  });

  it("asks the issuer about every other", async () => {
    const { ask } = await apiWith(jobs, access);
    const { status, text } = await ask("/v1/jobs", { headers: { authorization: "Bearer a.b.c" } });
    expect(status).toBe(401);
    expect(text).toContain("The issuer did not sign a.b.c.");
  });
});

describe("an API without a token", () => {
  it.each([
    ["localhost", 200],
    ["localhost:8080", 200],
    ["LOCALHOST:8080", 200],
    ["127.0.0.1:8080", 200],
    ["127.1.2.3", 200],
    ["[::1]:8080", 200],
    ["outlive.example.org", 403],
    ["127.0.0.1.example.org", 403],
    ["localhost.example.org", 403],
    ["169.254.169.254", 403],
    ["", 403],
  ])("answers Host %s with %i: a web page can make its own name point here", async (host, status) => {
    const { ask } = await apiWith(jobs, { kind: "loopback" });
    expect((await ask("/v1/jobs", { headers: { host } })).status).toBe(status);
  });
});

describe("every answer", () => {
  it.each(["/v1/jobs", "/v1/nothing", "/v1/healthz"])(
    "of %s is kept by no cache and run by no browser",
    async (path) => {
      const { ask } = await apiWith(jobs);
      const { headers } = await ask(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  it("to HEAD has the headers and no body", async () => {
    const { ask } = await apiWith(jobs);
    expect(await ask("/v1/jobs", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });
});

describe("the admission of a caller", () => {
  it.each([
    ["in the same process", { kind: "inProcess" }, {}, { reader: "this process", name: "anonymous" }],
    [
      "on this machine",
      { kind: "loopback" },
      { host: "localhost:8080" },
      { reader: "this machine", name: "this machine" },
    ],
  ] as const)("%s grants everything", async (_, access, credentials, named) => {
    const everything = { scope: "everything", acknowledges: "everything" };
    expect(await admit(access, credentials)).toEqual({ outcome: "admitted", ...everything, ...named });
  });

  it("with a long Host header repeats 100 characters of it", async () => {
    const admission = await admit({ kind: "loopback" }, { host: "x".repeat(5_000) });
    const detail = admission.outcome === "refused" ? admission.problem.detail : "";
    expect(detail).toContain(`Host "${"x".repeat(100)}" is not allowed`);
  });

  it("without a Host header is refused", async () => {
    const admission = await admit({ kind: "loopback" }, {});
    expect(admission).toMatchObject({
      outcome: "refused",
      problem: { status: 403, detail: expect.stringContaining('Host "" is not allowed') as string },
    });
  });

  it.each([
    ["localhost", true],
    ["LOCALHOST:80", true],
    ["[::1]", true],
    ["127.255.0.1:", true],
    ["127.1", false],
    ["127.0.0.1.example.org", false],
    ["128.0.0.1", false],
    ["1127.0.0.1", false],
    ["::1", false],
    [undefined, false],
  ])("takes Host %s for this machine: %s", (host, isLocal) => {
    expect(isLoopbackHost(host)).toBe(isLocal);
  });
});
