import { describe, expect, it } from "vitest";
import { readSettings, refuseUnknownSettings, SettingsRefusedError } from "../../lib/settings.ts";
import { LIVE, PAGE_CLIENT, TRIAL } from "./synthesised.ts";

function read(context: Readonly<Record<string, unknown>>) {
  return readSettings((name) => context[name]);
}

describe("the settings of a stage", () => {
  it("are those that keep everything, where nothing is said but who may ask", () => {
    expect(read(LIVE)).toEqual({
      stage: "live",
      disposable: false,
      retentionDays: 400,
      foldSeconds: 0,
      encryption: "aws",
      openMode: false,
      readers: { kind: "oidc", issuer: "https://login.example.org", audience: "outlive" },
      senderArns: [],
      reserveConcurrency: false,
      requestsPerSecond: 50,
      apiKey: false,
    });
  });

  it("are read from the command line, where every value is a text, and from cdk.json, where it is what it is", () => {
    const said = { ...TRIAL, retentionDays: "7", foldSeconds: "2", requestsPerSecond: "1000", apiKey: "true" };
    const written = {
      stage: "trial",
      disposable: true,
      openMode: true,
      retentionDays: 7,
      foldSeconds: 2,
      requestsPerSecond: 1000,
      apiKey: true,
    };
    expect(read(said)).toEqual(read(written));
  });

  it("take every rule of how tokens are read", () => {
    const rules = {
      oidcKeysUrl: "https://keys.example.org",
      oidcClaim: "can",
      oidcGroupsClaim: "roles",
      oidcGroupGrants: '{"sre":["*"]}',
    };
    expect(read({ ...LIVE, ...rules }).readers).toEqual({
      kind: "oidc",
      issuer: "https://login.example.org",
      audience: "outlive",
      keysUrl: "https://keys.example.org",
      claim: "can",
      groupsClaim: "roles",
      groupGrants: '{"sre":["*"]}',
    });
  });

  it("take how readers of the page sign in with the issuer", () => {
    const client = {
      clientId: "outlive-page",
      authorizationUrl: "https://login.example.org/authorize",
      tokenUrl: "https://login.example.org/token",
    };
    expect(read({ ...LIVE, ...PAGE_CLIENT }).readers).toHaveProperty("page", client);
    const more = { pageScope: "openid groups", pageToken: "id_token" };
    expect(read({ ...LIVE, ...PAGE_CLIENT, ...more }).readers).toHaveProperty("page", {
      ...client,
      scope: "openid groups",
      token: "id_token",
    });
  });

  it.each([
    "https://login.example.org",
    "https://login.example.org:8443/oauth2/token?policy=1",
    "https://eu.auth.example.org/a/b_c",
  ])("take %s as an issuer's endpoint", (pageTokenUrl) => {
    expect(read({ ...LIVE, ...PAGE_CLIENT, pageTokenUrl }).readers).toHaveProperty("page.tokenUrl", pageTokenUrl);
  });

  it.each([
    "http://login.example.org/token",
    "login.example.org/token",
    "https://",
    "https:///token",
    "https://login.example.org/token#here",
    "https://me:secret@login.example.org/token",
    "https://login.example.org/to ken",
  ])("refuse %s as an issuer's endpoint", (address) => {
    for (const name of ["pageAuthorizationUrl", "pageTokenUrl"]) {
      const refused = new RegExp(`^${name} is to be an address that begins with https://`);
      expect(() => read({ ...LIVE, ...PAGE_CLIENT, [name]: address })).toThrow(refused);
    }
  });

  it.each([
    ["nobody who may ask", {}, /Nobody could ask this stage anything/],
    ["open mode on a stage that is kept", { openMode: "true" }, /-c disposable=true if it is a trial/],
    ["open mode beside an issuer", { ...TRIAL, ...LIVE }, /by one way only/],
    ["an issuer beside IAM", { ...LIVE, iamAccess: "true" }, /by one way only/],
    ["an issuer without an audience", { oidcIssuer: "https://login.example.org" }, /need both/],
    ["a claim without an issuer", { oidcClaim: "can" }, /need both/],
    ["an issuer that is reached in the clear", { ...LIVE, oidcIssuer: "http://login.example.org" }, /https:\/\//],
    ["signing in on the page without an issuer", { iamAccess: "true", ...PAGE_CLIENT }, /Add -c oidcIssuer/],
    ["signing in on a page that is open", { ...TRIAL, ...PAGE_CLIENT }, /or leave out pageClientId/],
    ["a client without endpoints", { ...LIVE, pageClientId: "outlive-page" }, /needs all three/],
    ["a client without where to sign in", { ...LIVE, ...PAGE_CLIENT, pageAuthorizationUrl: "" }, /needs all three/],
    ["a client without where tokens are given", { ...LIVE, ...PAGE_CLIENT, pageTokenUrl: "" }, /needs all three/],
    ["endpoints without a client", { ...LIVE, ...PAGE_CLIENT, pageClientId: "" }, /needs all three/],
    ["scopes of no client", { ...LIVE, pageScope: "openid" }, /needs all three/],
    ["a token of no client", { ...LIVE, pageToken: "id_token" }, /needs all three/],
    ["a token of another kind", { ...LIVE, ...PAGE_CLIENT, pageToken: "refresh_token" }, /access_token or id_token/],
    ["scopes with commas and spaces", { ...LIVE, ...PAGE_CLIENT, pageScope: "openid,  groups" }, /by a space/],
    [
      "an id token that was not asked for",
      { ...LIVE, ...PAGE_CLIENT, pageScope: "groups", pageToken: "id_token" },
      /Add openid to it/,
    ],
    ["a stage with a capital", { ...LIVE, stage: "Prod" }, /stage is to be 1 to 16 of a-z/],
    ["a stage longer than an API's stage may be shown", { ...LIVE, stage: "a".repeat(17) }, /1 to 16/],
    ["a retention of nothing", { ...LIVE, retentionDays: "0" }, /from 1 to 3650, and is "0"/],
    ["collecting for a minute", { ...LIVE, foldSeconds: 60 }, /from 0 to 5/],
    ["a retention of a day and a half", { ...LIVE, retentionDays: 1.5 }, /whole number/],
    ["a retention in words", { ...LIVE, retentionDays: "long" }, /whole number/],
    ["a flag that is neither", { ...LIVE, disposable: "yes" }, /disposable is to be true or false, and is "yes"/],
    ["grants that are no JSON", { ...LIVE, oidcGroupGrants: "{bad}" }, /oidcGroupGrants is to be JSON such as/],
    ["a group without a list", { ...LIVE, oidcGroupGrants: '{"sre":"*"}' }, /and is "\{\\"sre/],
    ["a grant that grants nothing", { ...LIVE, oidcGroupGrants: '{"sre":["prod-*/x"]}' }, /CLUSTER\/NAMESPACE/],
    ["a key of another kind", { ...LIVE, encryption: "none" }, /aws or customer/],
    ["a sender that is no principal", { ...LIVE, senderArns: "arn:aws:iam::123456789012:role/a,*" }, /and has "\*"/],
    ["an alarm for nobody", { ...LIVE, alarmEmail: "ops" }, /ops@example.org/],
  ])("refuse %s in a sentence", (_, context, sentence) => {
    expect(() => read(context)).toThrow(SettingsRefusedError);
    expect(() => read(context)).toThrow(sentence);
  });
});

describe("what is given and is no setting", () => {
  it.each([
    ["retentiondays", "There is no setting retentiondays. Write retentionDays."],
    ["oidcAudiance", "There is no setting oidcAudiance. There are: stage, disposable,"],
  ])("is refused: %s", (name, says) => {
    expect(() => refuseUnknownSettings(["stage", name])).toThrow(SettingsRefusedError);
    expect(() => refuseUnknownSettings(["stage", name])).toThrow(says);
  });

  it("is nothing of the CDK's own, and nothing that is read", () => {
    const asked = new Set<string>(["@aws-cdk/core:checkSecretUsage", "aws:cdk:bundling-stacks", "cli-telemetry"]);
    readSettings((name) => {
      asked.add(name);
      return { ...LIVE, ...PAGE_CLIENT }[name];
    });
    expect(asked.size).toBeGreaterThan(20);
    expect(() => refuseUnknownSettings([...asked])).not.toThrow();
  });
});

describe("an issuer on this machine", () => {
  const here = { oidcIssuer: "http://127.0.0.1:8081", oidcAudience: "outlive" };

  it("is taken for a trial, which may be on an emulator", () => {
    expect(read({ ...here, disposable: true }).readers).toMatchObject({ issuer: "http://127.0.0.1:8081" });
    const client = { ...PAGE_CLIENT, pageTokenUrl: "http://localhost:8081/token" };
    expect(read({ ...here, ...client, disposable: true }).readers).toHaveProperty(
      "page.tokenUrl",
      "http://localhost:8081/token",
    );
  });

  it.each([
    ["for a stage that is kept", here],
    ["where it only looks so", { ...here, oidcIssuer: "http://127.0.0.1.example.org", disposable: true }],
  ])("is refused %s", (_, context) => {
    expect(() => read(context)).toThrow("oidcIssuer is to be an address that begins with https://");
  });
});
