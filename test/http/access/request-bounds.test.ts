import { describe, expect, it } from "vitest";
import { oversized, requestTarget } from "../../../src/http/access/request-bounds.ts";
import type { Problem } from "../../../src/http/contract/problem.ts";
import { bearerAccess } from "../../../src/http/access/token-access.ts";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("the target of a request", () => {
  it.each([
    ["http://localhost/v1/jobs?a=1?b", { path: "/v1/jobs", query: "a=1?b" }],
    ["http://127.999.1.1/v1/jobs", { path: "/v1/jobs", query: "" }],
    ["http://localhost?a=/", { path: "/", query: "a=/" }],
    ["http://localhost", { path: "/", query: "" }],
    ["http://localhost/", { path: "/", query: "" }],
    ["http://localhost/v1?", { path: "/v1", query: "" }],
    ["http:///v1/jobs", { path: "/v1/jobs", query: "" }],
    ["http://localhost?http://other/v1", { path: "/", query: "http://other/v1" }],
  ])("of %s is %j", (url, target) => {
    expect(requestTarget(url)).toEqual(target);
  });
});

describe("the size of a request", () => {
  it.each([
    ["a path of 2,048 characters", { path: "/".repeat(2_048), query: "" }, undefined],
    ["a path of 2,049 characters", { path: "/".repeat(2_049), query: "" }, 414],
    ["a query of 14,336 characters", { path: "/v1/jobs", query: "x".repeat(14_336) }, undefined],
    ["a query of 14,337 characters", { path: "/v1/jobs", query: "x".repeat(14_337) }, 414],
    ["256 parameters", { path: "/v1/jobs", query: "&".repeat(255) }, undefined],
    ["256 parameters with names", { path: "/v1/jobs", query: `${"a&".repeat(255)}a` }, undefined],
    ["257 parameters", { path: "/v1/jobs", query: "&".repeat(256) }, 414],
    ["no query", { path: "/v1/jobs", query: "" }, undefined],
    ["a query of 256 characters to an open route", { path: "/v1/healthz", query: "x".repeat(256) }, undefined],
    ["a query of 257 characters to another open route", { path: "/v1/readyz", query: "x".repeat(257) }, 414],
    ["a query of 257 characters to an open route", { path: "/v1/healthz", query: "x".repeat(257) }, 414],
  ])("with %s: %o is %s", (_, target, status) => {
    expect(oversized(target, new Headers())?.status).toBe(status);
  });

  it.each(["accept", "last-event-id", "host"])(
    "with 4,096 characters in the header %s is accepted, and no more",
    (name) => {
      const target = { path: "/v1/jobs", query: "" };
      expect(oversized(target, new Headers({ [name]: "x".repeat(4_096) }))).toBeUndefined();
      expect(oversized(target, new Headers({ [name]: "x".repeat(4_097) }))).toMatchObject({
        status: 431,
        detail: expect.stringContaining(`The header ${name} is longer than 4096 characters.`) as string,
      });
    },
  );

  it("is refused for the first header that is too long", () => {
    const headers = new Headers({ accept: "x".repeat(4_097), host: "x".repeat(4_097) });
    const refused = oversized({ path: "/", query: "" }, headers);
    expect(refused?.detail).toContain("The header accept is longer");
  });

  it("does not depend on other headers", () => {
    expect(oversized({ path: "/", query: "" }, new Headers({ "x-other": "x".repeat(9_000) }))).toBeUndefined();
  });
});

describe("an unauthenticated request", () => {
  it.each(["/v1/unknown", "/unknown", "/v1/jobs/"])("to %s is refused without a hint", async (path) => {
    const { ask } = await apiWith([listedJob()], bearerAccess("secret"));
    const answer = await ask(path);
    expect(answer.status).toBe(401);
    expect((answer.body as Problem).detail).not.toContain("/v1/");
  });

  it("with another method is refused before the method is", async () => {
    const { ask } = await apiWith([listedJob()], bearerAccess("secret"));
    expect((await ask("/v1/jobs", { method: "POST" })).status).toBe(401);
  });

  it("with 8 KB of parameters to healthz gets a short answer", async () => {
    const { ask } = await apiWith([], bearerAccess("secret"));
    const answer = await ask(`/v1/healthz?${"a&".repeat(4_000)}`);
    expect(answer.status).toBe(414);
    expect(answer.text.length).toBeLessThan(500);
  });
});

describe("a problem with many invalid parameters", () => {
  it("lists ten of them, each shortened", async () => {
    const { ask } = await apiWith([]);
    const names = Array.from({ length: 40 }, (_, index) => `${"x".repeat(300)}${index}`);
    const answer = await ask(`/v1/jobs?${names.join("&")}`);
    const { errors = [], detail } = answer.body as Problem;
    expect(errors).toHaveLength(10);
    expect(detail).toContain("30 more parameters are invalid");
    expect(Math.max(...errors.map(({ name }) => name.length))).toBe(100);
    expect(answer.text.length).toBeLessThan(16_000);
  });

  it("refuses a Job name that is longer than Kubernetes allows", async () => {
    const { ask } = await apiWith([listedJob()]);
    const path = "/v1/clusters/east/namespaces/batch/jobs/";
    expect((await ask(`${path}${"x".repeat(254)}`)).status).toBe(400);
    expect((await ask(`${path}${"x".repeat(253)}`)).status).toBe(404);
    expect((await ask(`${path}${"x".repeat(13_000)}`)).status).toBe(414);
  });
});

describe("a Host header that makes no URL", () => {
  it("is refused like any other name that is not local", async () => {
    const { ask } = await apiWith([], { kind: "loopback" });
    expect((await ask("/v1/jobs", { headers: { host: "127.999.1.1" } })).status).toBe(403);
  });

  it("does not matter to a server with tokens", async () => {
    const { app } = await apiWith([], bearerAccess("secret"));
    // A Request cannot have this URL; the server's adapter passes such an object.
    const request = new Request("http://localhost/v1/jobs?limit=1", { headers: { authorization: "Bearer secret" } });
    Object.defineProperty(request, "url", { value: "http://127.999.1.1/v1/jobs?limit=1" });
    expect((await app.fetch(request)).status).toBe(200);
  });
});
