import { describe, expect, it } from "vitest";
import { interruption } from "../../../cli/redrive/interruption.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const listeners = () => SIGNALS.map((name) => process.listenerCount(name));

describe("work that must not be interrupted", () => {
  it.each(SIGNALS)("is asked to stop by the first %s, and ended by the second one", (signal) => {
    const before = listeners();
    let stops = 0;
    const { isStopped } = interruption(() => (stops += 1));
    expect(isStopped()).toBe(false);
    process.emit(signal);
    expect([isStopped(), stops]).toEqual([true, 1]);
    // Without a listener, Node ends the process.
    expect(listeners()).toEqual(before);
  });

  it("is ended by a signal when it is done", () => {
    const before = listeners();
    const { isStopped, end } = interruption(() => expect.fail("was stopped"));
    end();
    expect([isStopped(), listeners()]).toEqual([false, before]);
  });
});
