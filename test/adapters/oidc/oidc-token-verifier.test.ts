import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTokenVerifier, IssuerConfigurationError } from "../../../src/adapters/oidc/oidc-token-verifier.ts";
import { base64url, handMadeToken, makeKey, OidcIssuer, seconds } from "../../support/http/oidc-issuer.ts";

let issuer: OidcIssuer;
let now = 0;
beforeEach(async () => {
  issuer = await OidcIssuer.start();
  now = 0;
});
afterEach(() => {
  vi.useRealTimers();
  return issuer.stop();
});

function verifierOf(more: { readonly audience?: readonly string[]; readonly keysUrl?: string } = {}) {
  return createTokenVerifier({ issuer: issuer.url, audience: ["outlive"], ...more }, () => now);
}

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const CLAIMS = { sub: "someone", exp: seconds("2100-01-01"), aud: "outlive" };

describe("a token of the issuer", () => {
  it("is verified, with its claims", async () => {
    const token = await issuer.token({ claims: { outlive: ["east/*"] } });
    expect(await verifierOf()(token)).toMatchObject({ outcome: "verified", claims: { outlive: ["east/*"] } });
  });

  it.each(["RS256", "RS512", "ES256", "ES384", "EdDSA"])("is verified when it is signed by %s", async (alg) => {
    issuer.key = await makeKey("other", alg);
    issuer.publish(issuer.key);
    expect(await verifierOf()(await issuer.token())).toMatchObject({ outcome: "verified" });
  });

  it("is valid for 60 s after it expired, because clocks differ", async () => {
    const token = await issuer.token({ claims: { exp: Date.now() / 1_000 - 20 } });
    expect(await verifierOf()(token)).toMatchObject({ outcome: "verified" });
  });

  it.each([
    ["for 60 s after it expired", { exp: NOON / 1_000 - 59 }, "verified"],
    ["no longer than 60 s after it expired", { exp: NOON / 1_000 - 61 }, "refused"],
    ["60 s before its time", { nbf: NOON / 1_000 + 59 }, "verified"],
    ["no earlier than 60 s before its time", { nbf: NOON / 1_000 + 61 }, "refused"],
    ["60 s before it was issued", { iat: NOON / 1_000 + 60 }, "verified"],
    ["no earlier than 60 s before it was issued", { iat: NOON / 1_000 + 61 }, "refused"],
    ["without a time of issue", { iat: undefined }, "verified"],
  ])("is valid %s", async (_, claims, outcome) => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    const token = await issuer.token({ claims: { iat: NOON / 1_000 - 3_600, ...claims } });
    expect(await verifierOf()(token)).toMatchObject({ outcome });
  });

  it("is refused with the seconds by which its clock is ahead", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    expect(await verifierOf()(await issuer.token({ claims: { iat: NOON / 1_000 + 3_600 } }))).toEqual({
      outcome: "refused",
      reason:
        "The token was issued 3600 s in the future (`iat`), and at most 60 s are accepted. Compare the clocks of its " +
        "issuer and of this server.",
    });
  });

  it("is valid if one of its audiences is one of ours", async () => {
    const token = await issuer.token({ claims: { aud: ["other", "outlive"] } });
    expect(await verifierOf({ audience: ["first", "outlive"] })(token)).toMatchObject({ outcome: "verified" });
  });

  it("is verified with the keys at a configured URL, without a discovery document", async () => {
    expect(await verifierOf({ keysUrl: `${issuer.url}/keys` })(await issuer.token())).toMatchObject({
      outcome: "verified",
    });
    expect(issuer.asked).toEqual(["/keys"]);
  });

  it.each<readonly [string, Parameters<OidcIssuer["token"]>[0], string]>([
    ["that has expired", { claims: { exp: seconds("2021-01-01") } }, "expired"],
    ["that expired more than 60 s ago", { claims: { exp: Date.now() / 1_000 - 90 } }, "expired"],
    ["that is valid in more than 60 s", { claims: { nbf: Date.now() / 1_000 + 90 } }, "not valid yet"],
    ["that is not valid yet", { claims: { nbf: seconds("2099-01-01") } }, "not valid yet"],
    ["that never expires", { claims: { exp: undefined } }, "no expiry"],
    ["of another issuer", { claims: { iss: "https://issuer.example.org" } }, "issuer that this server"],
    ["of an issuer with the same prefix", { claims: { iss: "http://127.0.0.1" } }, "issuer that this server"],
    ["without an issuer", { claims: { iss: undefined } }, "issuer that this server"],
    ["for another audience", { claims: { aud: "other" } }, "another audience"],
    ["for no audience", { claims: { aud: undefined } }, "another audience"],
    ["without the name of its key", { header: { kid: undefined } }, "does not name its key"],
    ["of a key that the issuer does not have", { header: { kid: "another" } }, "does not have the key"],
    ["with an unknown critical extension", { header: { crit: ["b64"], b64: true } }, "extensions"],
  ])("%s is refused with the reason", async (_, wanted, reason) => {
    const verified = await verifierOf()(await issuer.token(wanted));
    expect(verified).toMatchObject({ outcome: "refused" });
    expect("reason" in verified ? verified.reason : "").toContain(reason);
  });
});

describe("a forged token", () => {
  it("signed by another key under the name of the issuer's is refused", async () => {
    const forged = await issuer.token({ key: await makeKey("first") });
    expect(await verifierOf()(forged)).toMatchObject({ outcome: "refused" });
  });

  it("whose claims were changed is refused", async () => {
    const [header, , signature] = (await issuer.token()).split(".");
    const claims = base64url(JSON.stringify({ ...CLAIMS, iss: issuer.url, outlive: "*" }));
    expect(await verifierOf()(`${header}.${claims}.${signature}`)).toMatchObject({ outcome: "refused" });
  });

  it.each(["none", "None", "NONE", "nOnE"])(
    "that says alg %s is refused, with a signature and without",
    async (alg) => {
      const claims = { ...CLAIMS, iss: issuer.url };
      for (const signature of ["", "AAAA"]) {
        const token = handMadeToken({ alg, kid: "first" }, claims, signature);
        expect(await verifierOf()(token)).toMatchObject({ outcome: "refused" });
      }
    },
  );

  it("signed with the public key as an HMAC secret is refused", async () => {
    const unsigned = handMadeToken({ alg: "HS256", kid: "first" }, { ...CLAIMS, iss: issuer.url }).slice(0, -1);
    for (const secret of [issuer.key.publicPem, JSON.stringify(issuer.key.publicJwk), issuer.key.publicJwk.n ?? ""]) {
      const signature = createHmac("sha256", secret).update(unsigned).digest("base64url");
      expect(await verifierOf()(`${unsigned}.${signature}`)).toMatchObject({ outcome: "refused" });
    }
  });

  it("that brings its own key is refused", async () => {
    const own = await makeKey("own");
    for (const header of [{ jwk: own.publicJwk }, { jku: `${issuer.url}/own` }, { kid: "first", jwk: own.publicJwk }]) {
      const token = await issuer.token({ key: own, header });
      expect(await verifierOf()(token)).toMatchObject({ outcome: "refused" });
    }
    expect(issuer.asked).not.toContain("/own");
  });

  it.each([
    ["empty", ""],
    ["of two parts", "e30.e30"],
    ["of empty parts", ".."],
    ["no JSON", "AAAA.AAAA.AAAA"],
    ["a list", `${base64url("[]")}.${base64url("[]")}.AAAA`],
    ["null", `${base64url("null")}.${base64url("null")}.AAAA`],
    ["of strange times", handMadeToken({ alg: "RS256", kid: "first" }, { exp: "tomorrow" }, "AAAA")],
    ["with a NUL", "e30\0.e30.e30"],
    [
      "very deep",
      handMadeToken({ alg: "RS256", kid: "first" }, JSON.parse(`${"[".repeat(999)}${"]".repeat(999)}`), "AA"),
    ],
  ])("that is %s is refused", async (_, token) => {
    expect(await verifierOf()(token)).toMatchObject({ outcome: "refused" });
  });
});

describe("the issuer's keys", () => {
  it("are read once for many concurrent tokens", async () => {
    const verify = verifierOf();
    const token = await issuer.token();
    await Promise.all([verify(token), verify(token), verify(token)]);
    expect(issuer.asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
  });

  it("are read once for the tokens of ten minutes", async () => {
    now = 20 * MINUTE;
    const verify = verifierOf({ keysUrl: `${issuer.url}/keys` });
    const token = await issuer.token();
    await verify(token);
    now += 10 * MINUTE - 1;
    await verify(token);
    expect(issuer.asked).toEqual(["/keys"]);
    now += 1;
    await verify(token);
    expect(issuer.asked).toEqual(["/keys", "/keys"]);
  });

  it("are asked for every ten seconds while the issuer is unreachable, and not for each token", async () => {
    const verify = verifierOf({ keysUrl: `${issuer.url}/keys` });
    const token = await issuer.token();
    await verify(token);
    issuer.documents.clear();
    now += 10 * MINUTE;
    await verify(token);
    now += 9_999;
    expect(await verify(token)).toMatchObject({ outcome: "verified" });
    expect(issuer.asked).toHaveLength(2);
    now += 1;
    await verify(token);
    expect(issuer.asked).toHaveLength(3);
  });

  it("are trusted no longer than an hour, even within ten seconds after a failed read", async () => {
    const verify = verifierOf();
    const token = await issuer.token();
    await verify(token);
    issuer.documents.clear();
    now += 60 * MINUTE - 5_000;
    expect(await verify(token)).toMatchObject({ outcome: "verified" });
    now += 5_000;
    expect(await verify(token)).toMatchObject({ outcome: "unverifiable" });
  });

  it("are read again for an unknown key", async () => {
    const verify = verifierOf();
    await verify(await issuer.token());
    issuer.key = await makeKey("second");
    issuer.publish(issuer.key);
    expect(await verify(await issuer.token())).toMatchObject({ outcome: "verified" });
  });

  it("are not read for each of many tokens of unknown keys", async () => {
    const verify = verifierOf();
    for (const kid of ["a", "b", "c", "d"]) await verify(await issuer.token({ header: { kid } }));
    expect(issuer.asked.filter((path) => path === "/keys").length).toBeLessThanOrEqual(2);
  });

  it("are trusted no longer than ten minutes after one was withdrawn", async () => {
    const verify = verifierOf();
    const token = await issuer.token();
    expect(await verify(token)).toMatchObject({ outcome: "verified" });
    issuer.publish(await makeKey("second"));
    now += 10 * 60_000;
    expect(await verify(token)).toMatchObject({ outcome: "refused" });
  });

  it("that cannot be read leave the last ones in force for an hour, and no longer", async () => {
    const verify = verifierOf();
    const token = await issuer.token();
    await verify(token);
    issuer.documents.clear();
    now += 59 * 60_000;
    expect(await verify(token)).toMatchObject({ outcome: "verified" });
    now += 60_000;
    expect(await verify(token)).toMatchObject({ outcome: "unverifiable" });
  });

  it.each<readonly [string, (documents: Map<string, unknown>, url: string) => void, string]>([
    ["that are not there", (documents) => documents.delete("/keys"), "/keys returned status 404."],
    [
      "without a discovery document",
      (documents) => documents.clear(),
      "/.well-known/openid-configuration returned status 404.",
    ],
    [
      "behind a redirect",
      (documents, url) => {
        documents.set("/elsewhere", documents.get("/keys"));
        documents.set("/keys", new URL(`${url}/elsewhere`));
      },
      "redirect",
    ],
    ["that are not JSON", (documents) => documents.set("/keys", "<html>"), "JSON"],
    ["that are not keys", (documents) => documents.set("/keys", { keys: [1] }), "JWK"],
    ["larger than a key set", (documents) => documents.set("/keys", "x".repeat(1_048_577)), "more than"],
    [
      "in another issuer's document",
      (documents, url) =>
        documents.set("/.well-known/openid-configuration", { issuer: "https://other", jwks_uri: `${url}/keys` }),
      "exactly as its document names it",
    ],
    [
      "at an unencrypted address",
      (documents, url) =>
        documents.set("/.well-known/openid-configuration", { issuer: url, jwks_uri: "http://192.0.2.1/keys" }),
      "https://",
    ],
    [
      "without an address",
      (documents, url) => documents.set("/.well-known/openid-configuration", { issuer: url }),
      "jwks_uri",
    ],
  ])("%s make every token unverifiable, neither valid nor invalid", async (_, bend, reason) => {
    bend(issuer.documents, issuer.url);
    const verified = await verifierOf()(await issuer.token());
    expect(verified).toMatchObject({ outcome: "unverifiable" });
    expect("reason" in verified ? verified.reason : "").toContain(reason);
  });

  it("of an unreachable issuer make every token unverifiable", async () => {
    const token = await issuer.token();
    await issuer.stop();
    expect(await verifierOf()(token)).toMatchObject({ outcome: "unverifiable" });
    issuer = await OidcIssuer.start();
  });
});

describe("a configuration", () => {
  it.each<readonly [string, string, readonly string[], string | undefined]>([
    ["without encryption", "http://issuer.example.org", ["outlive"], undefined],
    ["with a password", "https://user:pass@issuer.example.org", ["outlive"], undefined],
    ["that is no URL", "issuer", ["outlive"], undefined],
    ["with a URL of the keys without encryption", "https://issuer.example.org", ["outlive"], "http://192.0.2.1/keys"],
    ["without an audience", "https://issuer.example.org", [], undefined],
    ["with an empty audience", "https://issuer.example.org", [""], undefined],
  ])("%s is refused before any token is taken", (_, url, audience, keysUrl) => {
    const trusted = { issuer: url, audience, ...(keysUrl !== undefined && { keysUrl }) };
    expect(() => createTokenVerifier(trusted, () => 0)).toThrow(IssuerConfigurationError);
  });
});
