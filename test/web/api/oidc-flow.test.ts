import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIssuer, type SmallIssuer } from "../../support/page/small-issuer.ts";
import { authorizationRequest, exchangeCode, type OidcSignIn } from "../../../web/api/oidc-flow.ts";

const redirectUri = "https://outlive.example/page/";
let issuer: SmallIssuer;
let signIn: OidcSignIn;

beforeAll(async () => {
  issuer = await openIssuer("granted");
  signIn = {
    kind: "oidc",
    issuer: issuer.url,
    clientId: "page",
    authorizationEndpoint: `${issuer.url}/authorize?tenant=a`,
    tokenEndpoint: `${issuer.url}/token`,
    scope: "openid jobs",
  };
});
afterAll(() => issuer.close());

/** Follows the redirect to the issuer and back. */
async function visitIssuer() {
  const { url, pending } = await authorizationRequest(signIn, redirectUri);
  const response = await fetch(url, { redirect: "manual" });
  const { searchParams } = new URL(response.headers.get("location") ?? "");
  return { parameters: searchParams, pending, redirectUri };
}

describe("a request to the issuer", () => {
  it("asks for a code with PKCE, and keeps the parameters of the configured address", async () => {
    const { url, pending } = await authorizationRequest(signIn, redirectUri);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      tenant: "a",
      response_type: "code",
      client_id: "page",
      redirect_uri: redirectUri,
      scope: "openid jobs",
      state: pending.state,
      code_challenge_method: "S256",
    });
    expect(url.href).not.toContain(pending.verifier);
  });
});

describe("a code that the issuer sent back", () => {
  it("is exchanged for the token", async () => {
    expect(await exchangeCode(signIn, await visitIssuer())).toEqual({ outcome: "token", token: "granted" });
  });

  it("is exchanged once only", async () => {
    const returned = await visitIssuer();
    await exchangeCode(signIn, returned);
    expect(await exchangeCode(signIn, returned)).toEqual({
      outcome: "failed",
      reason: "The issuer did not issue a token (400): invalid_grant. Sign in again.",
    });
  });

  it("is refused by the issuer with the verifier of another sign-in", async () => {
    const [first, second] = [await visitIssuer(), await visitIssuer()];
    const pending = { state: first.pending.state, verifier: second.pending.verifier };
    expect(await exchangeCode(signIn, { ...first, pending })).toMatchObject({ outcome: "failed" });
  });

  it.each([
    ["of another sign-in", { state: "guessed" }, 'unexpected "state"'],
    ["of another issuer", { iss: "https://other.example" }, 'unexpected "iss"'],
    ["of an issuer that reports an error", { error: "access_denied" }, "The issuer refused the sign-in: access_denied"],
    ["with a token in the address", { id_token: "x" }, "implicit and hybrid flows are not supported"],
  ])("is not exchanged in a response %s", async (_, change, reason) => {
    const returned = await visitIssuer();
    for (const [name, value] of Object.entries(change)) returned.parameters.set(name, value);
    const result = await exchangeCode(signIn, returned);
    expect(result).toMatchObject({ outcome: "failed", reason: expect.stringContaining(reason) as unknown });
  });

  it("gives no token where the API accepts ID tokens and the issuer sends none", async () => {
    const result = await exchangeCode({ ...signIn, tokenToSend: "id_token" }, await visitIssuer());
    expect(result).toMatchObject({ outcome: "failed", reason: expect.stringContaining("id_token") as unknown });
  });

  it("is reported where the issuer cannot be reached", async () => {
    const returned = await visitIssuer();
    const result = await exchangeCode({ ...signIn, tokenEndpoint: "http://127.0.0.1:1/token" }, returned);
    expect(result).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("Cannot reach the issuer") as unknown,
    });
  });

  it("is sent to no address without TLS, except on this machine", async () => {
    const returned = await visitIssuer();
    const result = await exchangeCode({ ...signIn, tokenEndpoint: "http://issuer.example/token" }, returned);
    expect(result).toMatchObject({ outcome: "failed", reason: expect.stringContaining("HTTPS") as unknown });
  });
});
