import { describe, expect, it } from "vitest";
import { packChanges, unpackChanges } from "../../../src/projection/changes/change-bytes.ts";
import { changeNamed } from "../../support/story/announced.ts";

const PLATFORM = { responsible: "platform", retry: "same" } as const;
const FIX = { responsible: "configuration", retry: "after-a-fix" } as const;
const CHANGES = [changeNamed("a"), { ...changeNamed("b"), previous: "Running" as const }];

describe("packed changes", () => {
  it("are given back", () => {
    expect(unpackChanges(packChanges(CHANGES))).toEqual(CHANGES);
    expect(unpackChanges(packChanges([]))).toEqual([]);
  });

  it("are given back with the responsibility of their cause, whether it is usual or not", () => {
    const changes = [PLATFORM, FIX].map((who) => {
      const change = changeNamed("a");
      const cause = { category: "image", ...who, message: "m", attempts: 1, counted: 1, evidence: [] } as const;
      return { ...change, job: { ...change.job, cause } };
    });
    expect(unpackChanges(packChanges(changes))).toEqual(changes);
  });

  it("take few bytes each, because they have much in common", () => {
    const many = Array.from({ length: 50 }, (_, number) => changeNamed(`nightly-${number}`));
    expect(packChanges(many).length / many.length).toBeLessThan(100);
  });

  it.each(["", "AQ==", "AQECAwQ=", "Ag==", Buffer.from("[]").toString("base64")])("are not read from %j", (text) => {
    expect(unpackChanges(text)).toBeUndefined();
  });

  it("are not read if they are cut", () => {
    const text = packChanges(CHANGES);
    expect(unpackChanges(text.slice(0, text.length / 2))).toBeUndefined();
  });
});
