import { describe, expect, it } from "vitest";
import { onPageRequest } from "../../../functions/events/page-event.ts";
import { signInOf } from "../../../functions/lambda/sign-in.ts";
import type { PageFiles } from "../../../src/http/page/page-files.ts";
import { gatewayEvent } from "../../support/aws/gateway-event.ts";

const bytes = new TextEncoder().encode("<!doctype html>");
const files: PageFiles = new Map([
  ["index.html", { bytes, brotli: bytes, mediaType: "text/html; charset=utf-8", immutable: false }],
  ["main-ABCDEFGH.js", { bytes, brotli: bytes, mediaType: "text/javascript; charset=utf-8", immutable: true }],
]);
const page = { files, config: { signIn: { kind: "token" } } } as const;

describe("the files of the page", () => {
  it.each([
    ["/", 200, "text/html; charset=utf-8", "no-cache"],
    ["/main-ABCDEFGH.js", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/config.json", 200, "application/json", "no-store"],
    ["/../etc/passwd", 404, "text/plain; charset=utf-8", "no-store"],
    ["/v1/nothing", 404, "text/plain; charset=utf-8", "no-store"],
  ])("%s is public and has status %i", async (path, status, type, caching) => {
    const result = await onPageRequest(page, gatewayEvent({ path }));
    expect(result.statusCode).toBe(status);
    expect(result.headers).toMatchObject({ "content-type": type, "cache-control": caching });
  });

  it("are text for every Accept-Encoding, because API Gateway returns binary data only if configured", async () => {
    const event = gatewayEvent({ path: "/", headers: { "accept-encoding": "br" }, multiValueHeaders: {} });
    expect(await onPageRequest(page, event)).toMatchObject({ body: "<!doctype html>", isBase64Encoded: false });
  });

  it("have a Content-Security-Policy that allows their own scripts only", async () => {
    const { headers } = await onPageRequest(page, gatewayEvent({ path: "/" }));
    expect(headers?.["content-security-policy"]).toContain("script-src 'self'");
  });

  it("allow GET and HEAD only", async () => {
    expect(await onPageRequest(page, gatewayEvent({ path: "/", httpMethod: "POST" }))).toMatchObject({
      statusCode: 404,
    });
  });
});

describe("a reader of the page", () => {
  const oidc = {
    kind: "oidc",
    issuer: "https://id.example.com",
    audience: ["outlive"],
    rules: { claim: "outlive", groupsClaim: "groups", groupGrants: {} },
  } as const;
  const client = {
    clientId: "page",
    authorizationEndpoint: "https://id.example.com/authorize",
    tokenEndpoint: "https://id.example.com/token",
    scope: "openid",
    tokenToSend: "access_token",
  } as const;

  it.each([
    ["does not sign in if access is open", { readers: { kind: "open" } } as const, { kind: "none" }],
    ["pastes a token", { readers: oidc }, { kind: "token" }],
    [
      "signs in with the issuer if the page is its client",
      { readers: oidc, client },
      { kind: "oidc", issuer: "https://id.example.com", ...client },
    ],
  ])("%s", (_, readers, signIn) => {
    expect(signInOf(readers)).toEqual(signIn);
  });
});
