import { describe, expect, it } from "vitest";
import { attemptsOf, retryWith } from "../../../src/ports/concurrency/retry.ts";
import { ManualClock, settled } from "../../support/running/manual-clock.ts";

async function collect(attempts: AsyncGenerator<number, void>, last = Infinity): Promise<readonly number[]> {
  const made: number[] = [];
  for await (const attempt of attempts) {
    made.push(attempt);
    if (attempt === last) break;
  }
  return made;
}

describe("the attempts of a retry", () => {
  it("are numbered from 1, with a pause before each but the first", async () => {
    const pauses: number[] = [];
    const retry = { attempts: 3, pause: async (number: number) => void pauses.push(number) };
    expect(await collect(attemptsOf(retry))).toEqual([1, 2, 3]);
    expect(pauses).toEqual([1, 2]);
  });

  it("end without another pause when the caller leaves the loop", async () => {
    const pauses: number[] = [];
    const retry = { attempts: 3, pause: async (number: number) => void pauses.push(number) };
    expect(await collect(attemptsOf(retry), 2)).toEqual([1, 2]);
    expect(pauses).toEqual([1]);
  });

  it("follow each other after the waits of the back-off", async () => {
    const clock = new ManualClock();
    const at: number[] = [];
    const loop = (async () => {
      for await (const _ of attemptsOf(retryWith(3, (number) => number * 100, clock))) at.push(clock.elapsed());
    })();
    await settled();
    await clock.advance(1_000);
    await loop;
    expect(at).toEqual([0, 100, 300]);
  });
});
