import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageConfig } from "../../../src/http/page/page-config.ts";
import { readPageFiles } from "../../../src/http/page/page-files.ts";
import { withPage } from "../../../src/http/page/with-page.ts";

const HTML = "<!doctype html><title>Outlive</title>";
const SCRIPT = "export {};".repeat(50);
const oidc = {
  kind: "oidc",
  issuer: "https://login.example",
  clientId: "page",
  authorizationEndpoint: "https://login.example/authorize",
  tokenEndpoint: "https://tokens.example/oauth2/token",
  scope: "openid",
} as const;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outlive-page-"));
  await writeFile(join(folder, "index.html"), HTML);
  await writeFile(join(folder, "main-ABCDEFGH.js"), SCRIPT);
  await writeFile(join(folder, "notes.md"), "not the page's");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function served(config: PageConfig = { signIn: { kind: "none" } }, from = folder) {
  const api = new Hono().notFound((context) => context.text("the API's own answer", 404));
  return withPage(api, await readPageFiles(from), config);
}

describe("the page's files", () => {
  it("are served at / without caching, because they name the other files", async () => {
    const response = await (await served()).request("/");
    expect(await response.text()).toBe(HTML);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  });

  it("are cached permanently if their name contains their hash", async () => {
    const response = await (await served()).request("/main-ABCDEFGH.js");
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("are compressed for clients that accept brotli", async () => {
    const headers = { "accept-encoding": "gzip, br" };
    const response = await (await served()).request("/main-ABCDEFGH.js", { headers });
    const body = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(body.byteLength).toBeLessThan(SCRIPT.length);
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  });

  it.each([
    "/v1/jobs",
    "/notes.md",
    "/../package.json",
    "/%2e%2e/package.json",
    "/main-ABCDEFGH.js/more",
    "/elsewhere",
  ])("are nothing else: %s is the API's to answer", async (path) => {
    const response = await (await served()).request(path);
    expect(await response.text()).toBe("the API's own answer");
  });

  it("say what to do where they were never built", async () => {
    const app = await served({ signIn: { kind: "none" } }, join(folder, "nowhere"));
    expect(await (await app.request("/")).text()).toContain("npm run build:web");
  });
});

const policyOf = async (config: PageConfig) =>
  (await (await served(config)).request("/")).headers.get("content-security-policy") ?? "";

describe("the policy of the page", () => {
  it("allows no inline code, and connections to this origin only", async () => {
    const policy = await policyOf({ signIn: { kind: "token" } });
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it("allows connections to the token endpoint of the issuer", async () => {
    expect(await policyOf({ signIn: oidc })).toContain("connect-src 'self' https://tokens.example;");
  });
});

describe("the configuration of the page", () => {
  it("says how to sign in, and is never kept", async () => {
    const response = await (await served({ signIn: oidc })).request("/config.json");
    expect(await response.json()).toEqual({ signIn: oidc });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
