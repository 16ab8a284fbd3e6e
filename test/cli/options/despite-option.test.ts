import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { despiteOption } from "../../../cli/options/despite-option.ts";

function parsed(...words: string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  return command.addOption(despiteOption("")).parse(words, { from: "user" }).opts()["despite"];
}

describe("the option --despite", () => {
  it("has the reason", () => {
    expect(parsed("--despite", "there is no backup")).toBe("there is no backup");
    expect(parsed()).toBeUndefined();
  });

  it.each(["", "  "])("refuses %j as a reason", (reason) => {
    expect(() => parsed("--despite", reason)).toThrow('Write the reason: --despite "REASON". It is recorded.');
  });
});
