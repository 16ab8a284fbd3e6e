import { describe, expect, it } from "vitest";
import { readFunctionSettings } from "../../../../src/ports/deployment/settings/function-settings.ts";
import { configurationError, ENVIRONMENT } from "./function-environment.ts";

function read(variables: Readonly<Record<string, string>>) {
  return readFunctionSettings("page", { ...ENVIRONMENT, ...variables });
}

const CLIENT = {
  OUTLIVE_PAGE_CLIENT_ID: "outlive-page",
  OUTLIVE_PAGE_AUTHORIZATION_URL: "https://login.example.org/authorize",
  OUTLIVE_PAGE_TOKEN_URL: "https://login.example.org/token",
};

describe("the settings of the page", () => {
  it("have no client by default", () => {
    expect(read({})).toEqual({ stage: "prod", readers: { kind: "open" } });
  });

  it("have a client with the default scope and token", () => {
    expect(read(CLIENT).client).toEqual({
      clientId: "outlive-page",
      authorizationEndpoint: "https://login.example.org/authorize",
      tokenEndpoint: "https://login.example.org/token",
      scope: "openid",
      tokenToSend: "access_token",
    });
  });

  it.each(Object.keys(CLIENT))("reject a client without %s", (variable) => {
    const message = configurationError(() => read({ ...CLIENT, [variable]: "" }));
    expect(message).toContain("Set all three, or none");
  });

  it("reject an unknown kind of token", () => {
    expect(configurationError(() => read({ ...CLIENT, OUTLIVE_PAGE_TOKEN: "refresh_token" }))).toBe(
      'OUTLIVE_PAGE_TOKEN is "refresh_token". Set it to "access_token" or "id_token".',
    );
  });
});
