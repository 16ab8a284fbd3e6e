import { describe, expect, it } from "vitest";
import { LIVE, PAGE_CLIENT, synthesise, TRIAL } from "./synthesised.ts";

type Texts = Readonly<Record<string, string>>;

/** The variables of the functions. Each synthesis takes seconds, so there is one for each kind of reader. */
function variablesOf(context: Texts) {
  const functions = [...synthesise(context).resources.values()].filter(({ type }) => type === "AWS::Lambda::Function");
  const of = (description: string): Texts => {
    const found = functions.find(({ properties }) => properties["Description"] === description);
    const { Environment } = found?.properties ?? expect.fail(`There is no function that ${description}.`);
    return (Environment as { readonly Variables: Texts }).Variables;
  };
  return {
    query: of("Answers queries over HTTP"),
    acknowledge: of("Takes acknowledgements over HTTP"),
    page: of("Serves the page's files"),
  };
}

const OPEN = variablesOf(TRIAL);
const IAM = variablesOf({ iamAccess: "true" });
const TOKENS = variablesOf({ ...LIVE, ...PAGE_CLIENT, oidcClaim: "outlive" });

const ACCESS = /^OUTLIVE_(?:OPEN_MODE|IAM_ACCESS|OIDC_|PAGE_)/;
const accessIn = (variables: Texts) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => ACCESS.test(name)));
const OIDC = {
  OUTLIVE_OIDC_ISSUER: LIVE.oidcIssuer,
  OUTLIVE_OIDC_AUDIENCE: LIVE.oidcAudience,
  OUTLIVE_OIDC_CLAIM: "outlive",
};

describe("the functions behind the API", () => {
  it.each([
    ["everybody in an open stage", OPEN, { OUTLIVE_OPEN_MODE: "true" }],
    ["IAM principals", IAM, { OUTLIVE_IAM_ACCESS: "true" }],
  ])("admit %s, all in the same way", (_, { query, acknowledge, page }, variables) => {
    expect([query, acknowledge, page].map(accessIn)).toEqual([variables, variables, variables]);
  });

  it("admit readers with a token, and only the page has what signing in takes", () => {
    expect([TOKENS.query, TOKENS.acknowledge].map(accessIn)).toEqual([OIDC, OIDC]);
    expect(accessIn(TOKENS.page)).toEqual({
      ...OIDC,
      OUTLIVE_PAGE_CLIENT_ID: PAGE_CLIENT.pageClientId,
      OUTLIVE_PAGE_AUTHORIZATION_URL: PAGE_CLIENT.pageAuthorizationUrl,
      OUTLIVE_PAGE_TOKEN_URL: PAGE_CLIENT.pageTokenUrl,
    });
  });

  it("do not give the page a table", () => {
    expect(Object.keys(TOKENS.page).filter((name) => name.endsWith("_TABLE"))).toEqual([]);
    expect(Object.keys(TOKENS.query)).toContain("OUTLIVE_LOG_TABLE");
  });
});
