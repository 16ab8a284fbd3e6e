import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverKeys, isTrustworthyUrl } from "../../../src/adapters/oidc/discover-keys.ts";
import { IssuerUnreachableError } from "../../../src/adapters/oidc/fetch-document.ts";
import { OidcIssuer } from "../../support/http/oidc-issuer.ts";

const DOCUMENT = "/.well-known/openid-configuration";
let issuer: OidcIssuer;
beforeEach(async () => {
  issuer = await OidcIssuer.start();
});
afterEach(() => issuer.stop());

describe("the URL of the issuer's keys", () => {
  it("is the one in its discovery document", async () => {
    expect(await discoverKeys(issuer.url)).toBe(`${issuer.url}/keys`);
    expect(issuer.asked).toEqual([DOCUMENT]);
  });

  it("is found for an issuer whose name ends in a slash", async () => {
    issuer.documents.set(DOCUMENT, { issuer: `${issuer.url}/`, jwks_uri: "https://keys.example.org" });
    expect(await discoverKeys(`${issuer.url}/`)).toBe("https://keys.example.org");
    expect(issuer.asked).toEqual([DOCUMENT]);
  });

  it.each<readonly [string, unknown, string]>([
    ["is not JSON", "{", "did not return a JSON object."],
    ["is a number", 3, "did not return a JSON object."],
    ["is a text", '"text"', "did not return a JSON object."],
    ["is null", "null", "did not return a JSON object."],
    ["names no issuer", {}, "names issuer undefined"],
    ["names another issuer", { issuer: "https://other.example.org" }, 'names issuer "https://other.example.org"'],
  ])("is not found if the document %s", async (_, document, reason) => {
    issuer.documents.set(DOCUMENT, document);
    const error: unknown = await discoverKeys(issuer.url).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(IssuerUnreachableError);
    expect(String(error)).toContain(`${issuer.url}${DOCUMENT} ${reason}`);
  });

  it.each([undefined, 3, "", "http://keys.example.org"])("is not found if the document names %j", async (keys) => {
    issuer.documents.set(DOCUMENT, { issuer: issuer.url, jwks_uri: keys });
    await expect(discoverKeys(issuer.url)).rejects.toThrow("has no jwks_uri that begins with https://.");
  });
});

describe("a URL", () => {
  it.each([
    "https://issuer.example.org",
    "https://issuer.example.org:8443/realm",
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.1.2.3:80/keys",
    "http://[::1]:8080/keys",
  ])("%s is trustworthy", (url) => {
    expect(isTrustworthyUrl(url)).toBe(true);
  });

  it.each([
    "",
    "issuer.example.org",
    "http://issuer.example.org",
    "http://128.0.0.1",
    "http://127.0.0.1.example.org",
    "http://localhost.example.org",
    "http://[::2]",
    "ftp://localhost",
    "file:///etc/passwd",
    "https://user@issuer.example.org",
    "https://:secret@issuer.example.org",
  ])("%s is not trustworthy", (url) => {
    expect(isTrustworthyUrl(url)).toBe(false);
  });
});
