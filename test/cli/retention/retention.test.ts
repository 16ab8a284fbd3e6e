import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { define } from "../../../cli/retention/retention.ts";

describe("outlive retention set", () => {
  it.each(["0", "1.5", "x"])("does not take %s days", async (days) => {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    define(command);
    for (const one of command.commands) one.exitOverride().configureOutput({ writeErr: () => undefined });
    const words = ["set", days, "--cluster", "east"];
    await expect(command.parseAsync(words, { from: "user" })).rejects.toThrow("Write a whole number of days");
  });
});
