import { describe, expect, it } from "vitest";
import { readSettings, SettingsRefusedError } from "../../lib/settings.ts";
import { LIVE, TRIAL } from "./synthesised.ts";

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

  it.each([
    ["nobody who may ask", {}, /Nobody could ask this stage anything/],
    ["open mode on a stage that is kept", { openMode: "true" }, /-c disposable=true if it is a trial/],
    ["open mode beside an issuer", { ...TRIAL, ...LIVE }, /by one way only/],
    ["an issuer beside IAM", { ...LIVE, iamAccess: "true" }, /by one way only/],
    ["an issuer without an audience", { oidcIssuer: "https://login.example.org" }, /need both/],
    ["a claim without an issuer", { oidcClaim: "can" }, /need both/],
    ["an issuer that is reached in the clear", { ...LIVE, oidcIssuer: "http://login.example.org" }, /https:\/\//],
    ["a stage with a capital", { ...LIVE, stage: "Prod" }, /stage is to be 1 to 16 of a-z/],
    ["a stage longer than an API's stage may be shown", { ...LIVE, stage: "a".repeat(17) }, /1 to 16/],
    ["a retention of nothing", { ...LIVE, retentionDays: "0" }, /from 1 to 3650, and is "0"/],
    ["collecting for a minute", { ...LIVE, foldSeconds: 60 }, /from 0 to 5/],
    ["a retention of a day and a half", { ...LIVE, retentionDays: 1.5 }, /whole number/],
    ["a retention in words", { ...LIVE, retentionDays: "long" }, /whole number/],
    ["a flag that is neither", { ...LIVE, disposable: "yes" }, /disposable is to be true or false, and is "yes"/],
    ["a key of another kind", { ...LIVE, encryption: "none" }, /aws or customer/],
    ["a sender that is no principal", { ...LIVE, senderArns: "arn:aws:iam::123456789012:role/a,*" }, /and has "\*"/],
    ["an alarm for nobody", { ...LIVE, alarmEmail: "ops" }, /ops@example.org/],
  ])("refuse %s in a sentence", (_, context, sentence) => {
    expect(() => read(context)).toThrow(SettingsRefusedError);
    expect(() => read(context)).toThrow(sentence);
  });
});
