import { describe, expect, it } from "vitest";
import { archiveOf } from "../../../lib/archive/archive-settings.ts";

const settings = (context: Readonly<Record<string, string>>, disposable = false) =>
  archiveOf((name) => context[name], disposable);

describe("the settings of the archive", () => {
  it("are absent unless the stage is archived", () => {
    expect(settings({})).toBeUndefined();
    expect(settings({ archive: "false" })).toBeUndefined();
    expect(settings({ archive: "true" })).toEqual({ logDays: 35 });
  });

  it("may lock the objects for some days", () => {
    expect(settings({ archive: "true", archiveLockDays: "365" })).toEqual({ logDays: 35, lockDays: 365 });
    expect(() => settings({ archive: "true", archiveLockDays: "0" })).toThrow("Invalid archiveLockDays");
  });

  it("keep the log for as long as it is set, and longer than the archive may be behind", () => {
    expect(settings({ archive: "true", logDays: "7" })).toEqual({ logDays: 7 });
    expect(() => settings({ archive: "true", logDays: "6" })).toThrow("a whole number from 7 to 3650");
    expect(() => settings({ logDays: "35" })).toThrow("logDays needs an archive");
  });

  it("are rejected where they lock an archive that is not there, or that is to be deleted", () => {
    expect(() => settings({ archiveLockDays: "365" })).toThrow("needs an archive");
    expect(() => settings({ archive: "true", archiveLockDays: "365" }, true)).toThrow("could not be deleted");
  });
});
