import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/ports/runtime/clock.ts";

const warnings: string[] = [];
const note = ({ name }: Error): void => void warnings.push(name);
afterEach(() => process.off("warning", note));

describe("a timer of the system's clock", () => {
  it("whose time has passed is due at once, without a warning of Node", async () => {
    process.on("warning", note);
    await new Promise<void>((resolve) => systemClock.after(-1, resolve));
    await new Promise<void>((resolve) => systemClock.after(0, resolve));
    expect(warnings).toEqual([]);
  });

  it("does not call after it was cancelled", async () => {
    let calls = 0;
    const cancel = systemClock.after(0, () => {
      calls += 1;
    });
    cancel();
    await new Promise<void>((resolve) => systemClock.after(1, resolve));
    expect(calls).toBe(0);
  });
});
