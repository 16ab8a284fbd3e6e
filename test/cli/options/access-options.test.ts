import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { type AccessOptions, addAccessOptions, chooseAccess } from "../../../cli/options/access-options.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

/** The options of a command line. */
function optionsOf(...args: readonly string[]): AccessOptions {
  const command = addAccessOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse([...args], { from: "user" }).opts();
}
function fileWith(text: string): string {
  const file = join(scratch.path, "tokens");
  writeFileSync(file, text);
  return file;
}
const tokensFile = (tokens: unknown) => optionsOf("--tokens-file", fileWith(JSON.stringify(tokens)));

describe("the access of a server", () => {
  it("is limited to this machine without options", async () => {
    expect(await chooseAccess(optionsOf())).toEqual({ kind: "loopback" });
  });

  it("is one token that grants everything", async () => {
    const fromOption = await chooseAccess(optionsOf("--token", "secret"));
    expect(fromOption).toMatchObject({ kind: "bearer", tokens: [{ scope: "everything" }] });
    expect(await chooseAccess(optionsOf("--token-file", fileWith("secret\n")))).toEqual(fromOption);
  });

  it("is several tokens, each with its grants", async () => {
    const access = await chooseAccess(
      tokensFile([
        { token: "0123456789abcdef", grants: ["*"] },
        { token: "fedcba9876543210", grants: ["prod-eu/batch"] },
      ]),
    );
    if (access.kind !== "bearer") throw new Error(`The access is ${access.kind}`);
    const [first, second] = access.tokens;
    expect(first?.scope).toBe("everything");
    expect(second?.scope).not.toBe("everything");
  });

  it("is tokens of an issuer for an audience", async () => {
    const args = ["--oidc-issuer", "https://issuer.example.org", "--oidc-audience", "outlive, page"];
    const options = optionsOf(...args, "--oidc-group-grants", '{"sre":["*"]}');
    expect(options.oidcAudience).toEqual(["outlive", "page"]);
    expect(await chooseAccess(options)).toMatchObject({
      kind: "oidc",
      rules: { claim: "outlive", groupsClaim: "groups", groupGrants: { sre: ["*"] } },
    });
  });

  it("is tokens of an issuer, and a static token beside them", async () => {
    const args = ["--oidc-issuer", "https://issuer.example.org", "--oidc-audience", "outlive", "--token", "secret"];
    expect(await chooseAccess(optionsOf(...args))).toMatchObject({ kind: "oidc", tokens: [{ scope: "everything" }] });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["two sources of tokens", ["--token", "a", "--token-file", "b"], /Set only one of --token/],
    ["an empty token", ["--token", ""], /empty/],
    ["an issuer without an audience", ["--oidc-issuer", "https://issuer.example.org"], /--oidc-audience/],
    ["a missing tokens file", ["--tokens-file", "no-such-file"], /Cannot read tokens file no-such-file: ENOENT/],
  ])("cannot be %s", async (_, args, message) => {
    await expect(chooseAccess(optionsOf(...args))).rejects.toThrow(message);
  });

  it.each<[string, unknown, RegExp]>([
    ["no token", [], /it has no tokens/],
    ["a short token", [{ token: "short", grants: ["*"] }], /at least 16 characters/],
    ["a token without grants", [{ token: "0123456789abcdef", grants: [] }], /a token has no grants/],
    ["an invalid grant", [{ token: "0123456789abcdef", grants: ["prod-eu"] }], /Invalid grant "prod-eu"/],
    ["an unknown field", [{ token: "0123456789abcdef", grants: ["*"], note: "a" }], /Invalid tokens file/],
    ["a name with spaces", [{ token: "0123456789abcdef", grants: ["*"], name: "a b" }], /a name has 1 to 64/],
  ])("cannot be a tokens file with %s", async (_, tokens, message) => {
    await expect(chooseAccess(tokensFile(tokens))).rejects.toThrow(message);
  });

  it("does not print the content of an invalid tokens file", async () => {
    const options = optionsOf("--tokens-file", fileWith("secret-token-of-a-reader"));
    const failure = await chooseAccess(options).catch((error: unknown) => String(error));
    expect(failure).toContain("it is not JSON");
    expect(failure).not.toContain("secret-token");
  });

  it.each(["nonsense", '["*"]', '{"sre":"*"}', '{"sre":["prod-*/batch"]}'])("rejects %s as group grants", (json) => {
    expect(() => optionsOf("--oidc-group-grants", json)).toThrow(/Write JSON such as/);
  });
});
