import { describe, expect, it } from "vitest";
import { InvalidSettingsError } from "../../../lib/context-values.ts";
import { readersOf } from "../../../lib/access/reader-settings.ts";
import { LIVE, PAGE_CLIENT, TRIAL } from "../synthesised.ts";

function read(context: Readonly<Record<string, unknown>>) {
  return readersOf((name) => context[name]);
}

describe("the readers of a stage", () => {
  it("have a token of the issuer for the audience", () => {
    expect(read(LIVE)).toEqual({ kind: "oidc", issuer: "https://login.example.org", audience: "outlive" });
  });

  it("get their grants from claims", () => {
    const rules = {
      oidcKeysUrl: "https://keys.example.org",
      oidcClaim: "can",
      oidcGroupsClaim: "roles",
      oidcGroupGrants: '{"sre":["*"]}',
    };
    expect(read({ ...LIVE, ...rules })).toEqual({
      kind: "oidc",
      issuer: "https://login.example.org",
      audience: "outlive",
      keysUrl: "https://keys.example.org",
      claim: "can",
      groupsClaim: "roles",
      groupGrants: '{"sre":["*"]}',
    });
  });

  it("are IAM principals, or all callers", () => {
    expect(read({ iamAccess: "true" })).toEqual({ kind: "iam" });
    expect(read(TRIAL)).toEqual({ kind: "open" });
  });

  it.each([
    ["no reader", {}, /No reader is configured/],
    ["all callers and an issuer's users", { ...TRIAL, ...LIVE }, /More than one kind of reader/],
    ["IAM principals and an issuer's users", { ...LIVE, iamAccess: "true" }, /More than one kind of reader/],
    ["users of an issuer without an audience", { oidcIssuer: "https://login.example.org" }, /needs both/],
    ["users with a claim without an issuer", { oidcClaim: "can" }, /needs both/],
    ["users of an issuer without TLS", { ...LIVE, oidcIssuer: "http://login.example.org" }, /https:\/\//],
    ["groups with grants that are not JSON", { ...LIVE, oidcGroupGrants: "{bad}" }, /Invalid oidcGroupGrants/],
    ["a group without a list of grants", { ...LIVE, oidcGroupGrants: '{"sre":"*"}' }, /Expected JSON such as/],
    ["a group with an invalid grant", { ...LIVE, oidcGroupGrants: '{"sre":["prod-*/x"]}' }, /CLUSTER\/NAMESPACE/],
  ])("cannot be %s", (_, context, message) => {
    expect(() => read(context)).toThrow(InvalidSettingsError);
    expect(() => read(context)).toThrow(message);
  });
});

describe("an issuer on this machine", () => {
  const local = { oidcIssuer: "http://127.0.0.1:8081", oidcAudience: "outlive" };

  it("is accepted for a disposable stage, which may run on an emulator", () => {
    expect(read({ ...local, disposable: true })).toMatchObject({ issuer: "http://127.0.0.1:8081" });
    const client = { ...PAGE_CLIENT, pageTokenUrl: "http://localhost:8081/token" };
    expect(read({ ...local, ...client, disposable: true })).toHaveProperty(
      "page.tokenUrl",
      "http://localhost:8081/token",
    );
  });

  it.each([
    ["for a stage with retained data", local],
    ["when only its name looks local", { ...local, oidcIssuer: "http://127.0.0.1.example.org", disposable: true }],
  ])("is rejected %s", (_, context) => {
    expect(() => read(context)).toThrow("Expected an address that begins with https://");
  });
});

describe("the page as a client of the issuer", () => {
  const client = {
    clientId: "outlive-page",
    authorizationUrl: "https://login.example.org/authorize",
    tokenUrl: "https://login.example.org/token",
  };

  it("has an id and two endpoints, and may choose scopes and token", () => {
    expect(read({ ...LIVE, ...PAGE_CLIENT })).toHaveProperty("page", client);
    const chosen = { pageScope: "openid groups", pageToken: "id_token" };
    expect(read({ ...LIVE, ...PAGE_CLIENT, ...chosen })).toHaveProperty("page", {
      ...client,
      scope: "openid groups",
      token: "id_token",
    });
  });

  it.each([
    "https://login.example.org",
    "https://login.example.org:8443/oauth2/token?policy=1",
    "https://eu.auth.example.org/a/b_c",
  ])("accepts %s as an endpoint", (pageTokenUrl) => {
    expect(read({ ...LIVE, ...PAGE_CLIENT, pageTokenUrl })).toHaveProperty("page.tokenUrl", pageTokenUrl);
  });

  it.each([
    "http://login.example.org/token",
    "login.example.org/token",
    "https://",
    "https:///token",
    "https://login.example.org/token#here",
    "https://me:secret@login.example.org/token",
    "https://login.example.org/to ken",
  ])("rejects %s as an endpoint", (address) => {
    for (const name of ["pageAuthorizationUrl", "pageTokenUrl"]) {
      const message = `Invalid ${name} ${JSON.stringify(address)}. Expected an address that begins with https://`;
      expect(() => read({ ...LIVE, ...PAGE_CLIENT, [name]: address })).toThrow(message);
    }
  });

  it.each([
    ["without an issuer", { iamAccess: "true", ...PAGE_CLIENT }, /Add -c oidcIssuer/],
    ["in open mode", { ...TRIAL, ...PAGE_CLIENT }, /or leave out pageClientId/],
    ["without endpoints", { ...LIVE, pageClientId: "outlive-page" }, /needs all three/],
    ["without an authorization endpoint", { ...LIVE, ...PAGE_CLIENT, pageAuthorizationUrl: "" }, /needs all three/],
    ["without a token endpoint", { ...LIVE, ...PAGE_CLIENT, pageTokenUrl: "" }, /needs all three/],
    ["without an id", { ...LIVE, ...PAGE_CLIENT, pageClientId: "" }, /needs all three/],
    ["that has scopes only", { ...LIVE, pageScope: "openid" }, /needs all three/],
    ["that has a kind of token only", { ...LIVE, pageToken: "id_token" }, /needs all three/],
    ["with an unknown kind of token", { ...LIVE, ...PAGE_CLIENT, pageToken: "refresh_token" }, /access_token or id_/],
    ["with scopes separated by commas", { ...LIVE, ...PAGE_CLIENT, pageScope: "openid,  groups" }, /by a space/],
    [
      "with an id token and without the scope openid",
      { ...LIVE, ...PAGE_CLIENT, pageScope: "groups", pageToken: "id_token" },
      /Add openid to it/,
    ],
  ])("is rejected %s", (_, context, message) => {
    expect(() => read(context)).toThrow(InvalidSettingsError);
    expect(() => read(context)).toThrow(message);
  });
});
