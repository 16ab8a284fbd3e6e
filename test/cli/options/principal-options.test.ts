import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addPrincipalOptions, choosePrincipal, type PrincipalOptions } from "../../../cli/options/principal-options.ts";

function optionsOf(...args: readonly string[]): PrincipalOptions {
  const command = addPrincipalOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse([...args], { from: "user" }).opts();
}

describe("the IAM principal of a command", () => {
  it.each(["AROAEXAMPLEEXAMPLE12", "AIDAEXAMPLEEXAMPLE12", "123456789012"])("has the id %s", async (principalId) => {
    expect(await choosePrincipal(optionsOf("--principal-id", principalId))).toEqual({ principalId });
  });

  it("is absent without options", async () => {
    expect(await choosePrincipal(optionsOf())).toBeUndefined();
  });

  it.each([
    ["an id with a session", "AROAEXAMPLEEXAMPLE12:session", /without the session/],
    ["the id of Amazon SNS, through which everyone could send", "AIDAIT2UOQQY3AUEKVGXU", /Amazon SNS/],
    ["a name", "outlive-exporter", /A name is not accepted/],
  ])("cannot be %s", (_, id, message) => {
    expect(() => optionsOf("--principal-id", id)).toThrow(message);
  });

  it("is named in one way", () => {
    const arn = "arn:aws:iam::123456789012:role/outlive";
    expect(() => optionsOf("--principal-id", "AROAEXAMPLEEXAMPLE12", "--principal-arn", arn)).toThrow(/cannot be used/);
  });
});
