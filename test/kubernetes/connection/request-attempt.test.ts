import { describe, expect, it } from "vitest";
import { Attempt, GivenUpError } from "../../../src/kubernetes/connection/request-attempt.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

const DEADLINE = 65_000;
const refused = new Error("refused");

function begin(stop = new AbortController()) {
  const clock = new ManualClock();
  return { clock, stop, attempt: new Attempt(clock, stop.signal) };
}

/** Why the client gave up; "no" if it did not. */
function reasonOf(attempt: Attempt): string {
  const error = attempt.errorOf(refused);
  if (error === refused) return "no";
  return error instanceof GivenUpError && error.cause === refused ? error.reason : expect.fail("another error");
}

describe("an attempt to send a request", () => {
  it("is not aborted by itself", () => {
    const { attempt } = begin();
    expect([attempt.signal.aborted, reasonOf(attempt)]).toEqual([false, "no"]);
  });

  it("is aborted when no headers arrive in time, and not before", async () => {
    const { clock, attempt } = begin();
    await clock.advance(DEADLINE - 1);
    expect(attempt.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([attempt.signal.aborted, reasonOf(attempt)]).toEqual([true, "unanswered"]);
  });

  it.each(["responded", "end"] as const)("has no deadline after `%s`", async (call) => {
    const { clock, attempt } = begin();
    attempt[call]();
    await clock.advance(2 * DEADLINE);
    expect(reasonOf(attempt)).toBe("no");
  });

  it("is aborted when the client stops, also if it had stopped before", () => {
    const { stop, attempt } = begin();
    stop.abort();
    expect([attempt.signal.aborted, reasonOf(attempt)]).toEqual([true, "stopped"]);
    expect(reasonOf(begin(stop).attempt)).toBe("stopped");
  });

  it("is not aborted by a stop after its end", () => {
    const { stop, attempt } = begin();
    attempt.end();
    stop.abort();
    expect([attempt.signal.aborted, reasonOf(attempt)]).toEqual([false, "no"]);
  });

  it("keeps its first reason", () => {
    const { stop, attempt } = begin();
    attempt.giveUp("idle");
    attempt.giveUp("superseded");
    stop.abort();
    expect(reasonOf(attempt)).toBe("idle");
  });
});
