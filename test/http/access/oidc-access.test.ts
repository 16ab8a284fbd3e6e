import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  admitClaims,
  type ClaimRules,
  type OidcAccess,
  rightsOf,
  STANDARD_CLAIM,
  STANDARD_GROUPS_CLAIM,
} from "../../../src/http/access/oidc-access.ts";
import { readGrants } from "../../../src/query/access/grant-text.ts";
import { ROUTES } from "../../../src/http/routes/routes.ts";
import { createTokenVerifier } from "../../../src/adapters/oidc/oidc-token-verifier.ts";
import type { VerifyToken } from "../../../src/ports/token-verifier.ts";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob } from "../../support/story/listed-job.ts";
import { handMadeToken, OidcIssuer, seconds } from "../../support/http/oidc-issuer.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

const RULES: ClaimRules = {
  claim: "outlive",
  groupsClaim: "groups",
  groupGrants: { sre: ["*"], batch: ["east/batch", "west/*"], nobody: [], "team with spaces": ["west/other"] },
};
const JOBS = [listedJob(), listedJob({ uid: "uid-2", namespace: "theirs", name: "secret" })];

let issuer: OidcIssuer;
beforeAll(async () => {
  issuer = await OidcIssuer.start();
});
afterAll(() => issuer.stop());

async function api() {
  const verify = createTokenVerifier({ issuer: issuer.url, audience: ["outlive"] }, () => 0);
  const { ask } = await apiWith(JOBS, { kind: "oidc", verify, rules: RULES } satisfies OidcAccess);
  return (path: string, authorization?: string) =>
    ask(path, authorization === undefined ? {} : { headers: { authorization } });
}

/** Believes whatever it is shown. */
const trusting: VerifyToken = async () => ({ outcome: "verified", claims: { outlive: "*" } });

async function namesFor(claims: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const ask = await api();
  const { status, body } = await ask("/v1/jobs", `Bearer ${await issuer.token({ claims })}`);
  expect(status).toBe(200);
  return (body as { readonly items: readonly { readonly name: string }[] }).items.map(({ name }) => name);
}

describe("an API that accepts tokens of an issuer", () => {
  it.each([
    ["one namespace", { outlive: ["east/batch"] }, ["report"]],
    ["one text", { outlive: "east/batch, west/*" }, ["report"]],
    ["everything", { outlive: "*" }, ["report", "secret"]],
    ["a cluster", { outlive: ["east/*"] }, ["report", "secret"]],
    ["another cluster", { outlive: ["west/*"] }, []],
    ["a group", { groups: ["batch", "unheard-of"] }, ["report"]],
    ["a group and a claim", { groups: "batch", outlive: ["east/theirs"] }, ["report", "secret"]],
  ])("answers whose claims grant %s with that and no more", async (_, claims, names) => {
    expect(new Set(await namesFor(claims))).toEqual(new Set(names));
  });

  it.each([
    ["no claim", {}],
    ["an empty claim", { outlive: [] }],
    ["claims of other shapes", { outlive: { "east/batch": true }, groups: 7 }],
    ["numbers and nulls", { outlive: [1, null, ["*"]], groups: [null] }],
    ["grants that are none", { outlive: ["east", "*/batch", "east/BATCH"] }],
    ["groups without grants", { groups: ["nobody", "unheard-of"] }],
    ["groups called as what every object has", { groups: ["constructor", "__proto__", "toString", "hasOwnProperty"] }],
  ])("refuses whose claims are %s, and says which claim grants", async (_, claims) => {
    const ask = await api();
    const answer = await ask("/v1/jobs", `Bearer ${await issuer.token({ claims })}`);
    expect(answer).toMatchObject({ status: 403, body: { type: "urn:outlive:problem:forbidden" } });
    expect(answer.text).toContain('\\"outlive\\"');
  });

  it.each([
    ["nothing", undefined],
    ["another scheme", "Basic c2VjcmV0"],
    ["no token", "Bearer "],
    ["a word", "Bearer secret"],
    ["two tokens", "Bearer e30.e30.AA e30.e30.AA"],
    ["a token of 17 KB", `Bearer ${handMadeToken({}, {}, "A".repeat(17_000))}`],
    ["alg none", `Bearer ${handMadeToken({ alg: "none" }, { outlive: "*", exp: seconds("2100-01-01") })}`],
  ])("refuses %s with 401 on every route but health", async (_, authorization) => {
    const ask = await api();
    for (const { template, open } of [...ROUTES, ...API_PARTS.routes]) {
      const path = template.replaceAll(/\{\w+\}/g, "east");
      expect((await ask(path, authorization)).status, path).toBe(open === true ? 200 : 401);
    }
    expect((await ask("/v1/openapi.json", authorization)).status).toBe(401);
  });

  it.each([
    "/version",
    "/api",
    "/apis",
    "/openapi/v3",
    "/api/v1/pods",
    "/api/v1/namespaces",
    "/apis/batch/v1/jobs",
    "/apis/batch/v1/jobs?watch=true",
    "/clusters/east/apis/batch/v1/namespaces/batch/jobs/report",
    "/clusters/east/version",
  ])("refuses a request without a token with 401 in Kubernetes' own shape: %s", async (path) => {
    const ask = await api();
    expect((await ask(path)).status).toBe(401);
    expect((await ask(path, "Bearer e30.e30.AA")).status).toBe(401);
  });

  it.each([
    ["takes a token as long as any header may be", 16_384, 200],
    ["refuses a longer one unread", 16_385, 401],
  ])("%s", async (_, length, expected) => {
    const { ask } = await apiWith(JOBS, { kind: "oidc", verify: trusting, rules: RULES });
    const authorization = `Bearer ${handMadeToken({}, {}, "A".repeat(length - handMadeToken({}, {}).length))}`;
    expect((await ask("/v1/jobs", { headers: { authorization } })).status).toBe(expected);
  });

  it("refuses HEAD as it refuses GET", async () => {
    const verify = createTokenVerifier({ issuer: issuer.url, audience: ["outlive"] }, () => 0);
    const { app } = await apiWith(JOBS, { kind: "oidc", verify, rules: RULES });
    expect((await app.request("/v1/jobs", { method: "HEAD" })).status).toBe(401);
  });

  it("refuses a token that has expired, and says so", async () => {
    const ask = await api();
    const claims = { outlive: "*", exp: seconds("2021-01-01") };
    const answer = await ask("/v1/jobs", `Bearer ${await issuer.token({ claims })}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="outlive"');
    expect(answer.text).toContain("expired");
  });

  it("answers 503, and not 401, while the issuer cannot be reached", async () => {
    const other = await OidcIssuer.start();
    const token = await other.token({ claims: { outlive: "*" } });
    const verify = createTokenVerifier({ issuer: other.url, audience: ["outlive"] }, () => 0);
    await other.stop();
    const { ask } = await apiWith(JOBS, { kind: "oidc", verify, rules: RULES });
    const answer = await ask("/v1/jobs", { headers: { authorization: `Bearer ${token}` } });
    expect(answer).toMatchObject({ status: 503, body: { type: "urn:outlive:problem:issuer-unreachable" } });
    expect((await ask("/v1/healthz")).status).toBe(200);
  });
});

describe("claims", () => {
  it("may name a group with spaces in a list", () => {
    expect(rightsOf({ groups: ["team with spaces"] }, RULES)?.scope).toEqual({
      grants: [{ cluster: "west", namespaces: ["other"] }],
    });
  });

  it("are read by the names that the configuration gives them", () => {
    const rules = { ...RULES, claim: "https://example.org/outlive", groupsClaim: "roles" };
    const claims = { "https://example.org/outlive": ["east/mine"], roles: ["batch"], outlive: "*", groups: ["sre"] };
    expect(rightsOf(claims, rules)?.scope).toEqual({
      grants: [
        { cluster: "east", namespaces: ["mine"] },
        { cluster: "east", namespaces: ["batch"] },
        { cluster: "west", namespaces: "all" },
      ],
    });
  });
});

function verifying(claims: Readonly<Record<string, unknown>>): OidcAccess {
  return { kind: "oidc", verify: async () => ({ outcome: "verified", claims }), rules: RULES };
}

describe("the admission of a token's claims", () => {
  const token = "e30.e30.AA";

  it("names the reader after the subject", async () => {
    const admission = await admitClaims(verifying({ outlive: "*", sub: "alice" }), `Bearer ${token}`);
    expect(admission).toMatchObject({ scope: "everything", reader: "subject alice", name: "subject alice" });
  });

  it("names the reader after a hash of the token where it has no subject", async () => {
    const readers = await Promise.all(
      [token, token, "e30.e30.BB"].map((sent) => admitClaims(verifying({ outlive: "*", sub: 7 }), `Bearer ${sent}`)),
    );
    const names = readers.map((one) => (one.outcome === "admitted" ? one.reader : ""));
    expect(names[0]).toMatch(/^token [\w-]{43}$/);
    expect(names[1]).toBe(names[0]);
    expect(names[2]).not.toBe(names[0]);
  });

  it.each([
    [undefined, "Send the header"],
    ["Bearer", "has no JWT"],
    ["Bearer e30.e30", "has no JWT"],
    [`Bearer ${"a".repeat(16_384 - 3)}.b.c`, "has no JWT"],
  ])("is refused without a token: %.40s", async (authorization, detail) => {
    expect(await admitClaims(verifying({ outlive: "*" }), authorization)).toMatchObject({
      outcome: "refused",
      problem: { status: 401, detail: expect.stringContaining(detail) as string },
    });
  });

  it("accepts a token of 16,384 characters", async () => {
    const authorization = `Bearer ${"a".repeat(16_384 - 4)}.b.c`;
    expect(await admitClaims(verifying({ outlive: "*" }), authorization)).toMatchObject({ outcome: "admitted" });
  });

  it.each([
    ["refused", 401, "urn:outlive:problem:unauthorized"],
    ["unverifiable", 503, "urn:outlive:problem:issuer-unreachable"],
  ] as const)("is refused with the reason where the token is %s", async (outcome, status, type) => {
    const access: OidcAccess = { kind: "oidc", verify: async () => ({ outcome, reason: "Because." }), rules: RULES };
    expect(await admitClaims(access, `Bearer ${token}`)).toMatchObject({
      outcome: "refused",
      problem: { status, type, detail: "Because." },
    });
  });

  it("is refused where the claims grant nothing, and names both claims", async () => {
    expect(await admitClaims(verifying({ outlive: " , " }), `Bearer ${token}`)).toMatchObject({
      problem: { status: 403, detail: expect.stringMatching(/"outlive".*"groups"/) as string },
    });
  });
});

describe("the scope of claims", () => {
  it.each([
    ["grants separated by spaces and commas", { outlive: " east/batch ,west/* " }, ["east/batch", "west/*"]],
    ["a group whose name has spaces", { groups: "team with spaces" }, ["west/other"]],
    ["groups among other values", { groups: [7, "batch", null] }, ["east/batch", "west/*"]],
    ["a group and a claim", { groups: ["sre"], outlive: ["east/batch"] }, ["*"]],
  ])("is that of %s", (_, claims, grants) => {
    expect(rightsOf(claims, RULES)?.scope).toEqual(readGrants(grants).scope);
  });

  it("has what a claim allows to acknowledge, which shows nothing by itself", () => {
    expect(rightsOf({ outlive: "*,acknowledge:east/batch" }, RULES)).toEqual({
      scope: "everything",
      acknowledges: { grants: [{ cluster: "east", namespaces: ["batch"] }] },
    });
    expect(rightsOf({ outlive: "acknowledge:*" }, RULES)).toBeUndefined();
  });

  it.each([[{}], [{ outlive: "" }], [{ groups: "nobody" }], [{ groups: "constructor" }], [{ other: "*" }]])(
    "is none of %j",
    (claims) => {
      expect(rightsOf(claims, RULES)).toBeUndefined();
    },
  );
});

describe("the claims of a token", () => {
  it("have the names that docs/access.md states", () => {
    expect([STANDARD_CLAIM, STANDARD_GROUPS_CLAIM]).toEqual(["outlive", "groups"]);
  });
});
