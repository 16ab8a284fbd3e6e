import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { timeOption } from "../../../cli/options/time-option.ts";

function parsed(...words: string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  return command.addOption(timeOption("--since <time>", "")).parse(words, { from: "user" }).opts()["since"];
}

describe("an option for a time", () => {
  it.each([
    ["2026-11-23T08:00:00+02:00", "2026-11-23T06:00:00Z"],
    ["2026-11-23t08:00:00.5z", "2026-11-23T08:00:00.500Z"],
  ])("%s is %s", (text, instant) => {
    expect(parsed("--since", text)).toBe(instant);
  });

  it("is an instant in the past for a duration, so that all requests of a command agree", () => {
    const [before, since, after] = [Date.now(), Date.parse(String(parsed("--since", "2h"))), Date.now()];
    expect(since).toBeGreaterThanOrEqual(before - 7_200_000);
    expect(since).toBeLessThanOrEqual(after - 7_200_000);
  });

  it.each(["", "2", "yesterday", "-2h", "2026-13-01T00:00:00Z"])("%j is an error that says what to write", (text) => {
    expect(() => parsed("--since", text)).toThrow(/option '--since <time>' argument .* RFC 3339 time, .* such as 2h/);
  });
});
