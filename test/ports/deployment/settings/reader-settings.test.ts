import { describe, expect, it } from "vitest";
import { readFunctionSettings } from "../../../../src/ports/deployment/settings/function-settings.ts";
import { configurationError, ENVIRONMENT } from "./function-environment.ts";

const CLOSED = { ...ENVIRONMENT, OUTLIVE_OPEN_MODE: "false" };
const OIDC = { OUTLIVE_OIDC_ISSUER: "https://id.example.com/", OUTLIVE_OIDC_AUDIENCE: "outlive, console" };

function readersIn(variables: Readonly<Record<string, string>>) {
  return readFunctionSettings("query", { ...CLOSED, ...variables }).readers;
}

describe("the readers of a function", () => {
  it("have a token of the issuer for one of the audiences", () => {
    expect(readersIn(OIDC)).toEqual({
      kind: "oidc",
      issuer: "https://id.example.com/",
      audience: ["outlive", "console"],
      rules: { claim: "outlive", groupsClaim: "groups", groupGrants: {} },
    });
  });

  it("get their grants from the configured claims", () => {
    const rules = {
      OUTLIVE_OIDC_KEYS_URL: "https://id.example.com/keys",
      OUTLIVE_OIDC_CLAIM: "may",
      OUTLIVE_OIDC_GROUPS_CLAIM: "roles",
      OUTLIVE_OIDC_GROUP_GRANTS: '{"operators":["*"]}',
    };
    expect(readersIn({ ...OIDC, ...rules })).toMatchObject({
      keysUrl: "https://id.example.com/keys",
      rules: { claim: "may", groupsClaim: "roles", groupGrants: { operators: ["*"] } },
    });
  });

  it("are IAM principals, or all callers", () => {
    expect(readersIn({ OUTLIVE_IAM_ACCESS: "true" })).toEqual({ kind: "iam" });
    expect(readersIn({ OUTLIVE_OPEN_MODE: "true" })).toEqual({ kind: "open" });
  });

  it.each([
    ["no reader", {}, /^No reader is configured/],
    ["all callers and an issuer's users", { ...OIDC, OUTLIVE_OPEN_MODE: "true" }, /^More than one kind of reader/],
    ["users with a token for any audience", { ...OIDC, OUTLIVE_OIDC_AUDIENCE: " , " }, /belong together/],
    ["users of any issuer", { OUTLIVE_OIDC_AUDIENCE: "outlive" }, /belong together/],
    ["users of an issuer that is not a URL", { ...OIDC, OUTLIVE_OIDC_ISSUER: "id" }, /^OUTLIVE_OIDC_ISSUER is "id"/],
    ["groups with grants that are not JSON", { ...OIDC, OUTLIVE_OIDC_GROUP_GRANTS: "{" }, /GRANTS is not JSON/],
    ["groups with a number as grant", { ...OIDC, OUTLIVE_OIDC_GROUP_GRANTS: '{"a":[1]}' }, /not a list of grants/],
  ])("cannot be %s", (_, variables, message) => {
    expect(configurationError(() => readersIn(variables))).toMatch(message);
  });
});
