import { describe, expect, it } from "vitest";
import { MAX_RECEIVES } from "../../src/ports/deployment/limits.ts";
import { retryAfterSeconds } from "../../src/log/retry-later.ts";

const longest = () => 0;
const shortest = () => 0.999_999;

describe("the wait of a message that an outage stopped", () => {
  it.each([
    [1, 3, 5],
    [2, 5, 10],
    [4, 20, 40],
    [7, 150, 300],
    [1_000, 150, 300],
  ])("at receive %i is %i to %i seconds", (receives, least, most) => {
    expect(retryAfterSeconds(receives, shortest)).toBe(least);
    expect(retryAfterSeconds(receives, longest)).toBe(most);
  });

  it("lets a message survive days before it moves to the dead-letter queue", () => {
    let seconds = 0;
    for (let receive = 1; receive <= MAX_RECEIVES; receive += 1) seconds += retryAfterSeconds(receive, () => 0.5);
    expect(seconds / 86_400).toBeGreaterThan(2);
  });
});
