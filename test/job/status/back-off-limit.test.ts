import { describe, expect, it } from "vitest";
import { exceedsBackOffLimit } from "../../../src/job/status/back-off-limit.ts";

describe("the back-off limit", () => {
  it.each([
    ["is not exceeded by as many failures", 2, "Never", 2, 0, false],
    ["is exceeded by one more failure", 2, "Never", 3, 0, true],
    ["of 0 is exceeded by the first failure", 0, "Never", 1, 0, true],
    ["is not exceeded without failures", 0, "OnFailure", 0, 0, false],
    ["is exceeded by as many restarts in place", 2, "OnFailure", 0, 2, true],
    ["is not exceeded by fewer restarts", 2, "OnFailure", 0, 1, false],
    ["of 0 is exceeded by the first restart", 0, "OnFailure", 0, 1, true],
    ["is no limit for restarts of Pods that are replaced", 2, "Never", 0, 9, false],
    ["does not add failures and restarts", 2, "OnFailure", 1, 1, false],
  ] as const)("%s", (_, backoffLimit, restartPolicy, failed, restarts, expected) => {
    expect(exceedsBackOffLimit({ backoffLimit, restartPolicy }, { failed, restarts })).toBe(expected);
  });
});
