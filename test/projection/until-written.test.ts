import { describe, expect, it } from "vitest";
import { untilWritten } from "../../src/projection/until-written.ts";

function conflicts(count: number): () => Promise<"written" | "conflict"> {
  let left = count;
  return async () => {
    left -= 1;
    return left < 0 ? "written" : "conflict";
  };
}

describe("a conditional write", () => {
  const retry = { attempts: 3, pause: async () => undefined };

  it("is attempted until it does not conflict", async () => {
    expect(await untilWritten("Job j", retry, conflicts(2))).toBe("written");
  });

  it("fails after the last attempt, and names what was not written", async () => {
    await expect(untilWritten("Job j", retry, conflicts(3))).rejects.toThrow(
      "Cannot write Job j: another writer came first in each of 3 attempts.",
    );
  });

  it("starts no attempt when no time is left", async () => {
    const times = [true, false];
    const timed = { ...retry, hasTime: () => times.shift() === true };
    await expect(untilWritten("Job j", timed, conflicts(1))).rejects.toThrow("no time is left");
  });
});
