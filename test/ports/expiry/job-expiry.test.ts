import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type JobRetention,
  NEVER,
  pageExpiry,
  renewedExpiry,
  renewedPageExpiry,
  stateExpiry,
  uniformRetention,
} from "../../../src/ports/expiry/job-expiry.ts";

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const job = { cluster: "east", namespace: "shop", name: "report" };

/** A rule of 400 days for namespace bank, 30 for others; Jobs with the name `held` are under a hold. */
const rules: JobRetention = {
  daysOf: (_, namespace) => (namespace === "bank" ? 400 : 30),
  longestOf: () => 400,
  holdOn: ({ name }) => (name === "held" ? {} : undefined),
};
const forEver: JobRetention = { ...rules, daysOf: () => undefined, longestOf: () => undefined };

describe("the state of an ended Job", () => {
  it.each([
    ["as long after its end as its namespace has it", job, NOW - DAY, rules, NOW + 29 * DAY],
    ["longer in another namespace", { ...job, namespace: "bank" }, NOW - DAY, rules, NOW + 399 * DAY],
    ["until the archive has read it, however old it is", job, NOW - 500 * DAY, rules, NOW + 2 * DAY],
    ["for ever under a hold", { ...job, name: "held" }, NOW - 500 * DAY, rules, NEVER],
    ["for ever as a run with a Job under a hold", { ...job, jobNames: ["a", "held"] }, NOW - 500 * DAY, rules, NEVER],
    ["for ever without a limit", job, NOW, forEver, NEVER],
    ["in whole seconds", job, NOW + 999, rules, NOW + 30 * DAY],
  ] as const)("is kept %s", (_, named, endedAt, retention, expected) => {
    expect(stateExpiry({ ...named, endedAt }, retention, NOW)).toBe(expected);
  });
});

describe("a page", () => {
  it.each([
    ["twice the retention of its namespace", job, rules, NOW + 60 * DAY],
    [
      "twice the longest retention of its cluster if its Job has no name yet",
      { cluster: "east" },
      rules,
      NOW + 800 * DAY,
    ],
    ["for ever under a hold", { ...job, name: "held" }, rules, NEVER],
    ["for ever without a limit", job, forEver, NEVER],
  ] as const)("is kept %s", (_, owner, retention, expected) => {
    const { expiresAt, isDueBefore } = pageExpiry(owner, retention, NOW);
    expect(expiresAt).toBe(expected);
    expect(isDueBefore).toBe(expected === NEVER ? NEVER : NOW + (expected - NOW) / 2);
  });
});

describe("the expiry of a stored state", () => {
  const ended = { ...job, endedAt: NOW - 10 * DAY };
  it.each([
    ["stays where the rule is the same", ended, NOW + 20 * DAY, rules, undefined],
    ["moves to the end of a longer retention", ended, NOW + 5 * DAY, rules, NOW + 20 * DAY],
    ["moves to the end of a shorter retention", ended, NOW + 90 * DAY, rules, NOW + 20 * DAY],
    [
      "moves to two days from now where a shorter one has ended",
      ended,
      NOW + 90 * DAY,
      uniformRetention(1),
      NOW + 2 * DAY,
    ],
    ["stays where it comes earlier than that", ended, NOW + DAY, uniformRetention(1), undefined],
    ["is removed by a hold, also where it has passed", { ...ended, name: "held" }, NOW - DAY, rules, NEVER],
    ["comes back when a hold is released", ended, NEVER, rules, NOW + 20 * DAY],
    ["comes back in two days for a Job that would have expired", ended, NEVER, uniformRetention(1), NOW + 2 * DAY],
  ] as const)("%s", (_, of, expiresAt, retention, expected) => {
    expect(renewedExpiry({ ...of, expiresAt }, retention, NOW)).toBe(expected);
  });

  it("does not move again, and what was written with the rules stays", () => {
    const days = fc.integer({ min: 1, max: 1_000 });
    const instant = fc.integer({ min: 0, max: 1_000 * DAY });
    fc.assert(
      fc.property(days, instant, instant, (kept, endedAt, expiresAt) => {
        const retention = uniformRetention(kept);
        const written = stateExpiry({ ...job, endedAt }, retention, NOW);
        expect(renewedExpiry({ ...job, endedAt, expiresAt: written }, retention, NOW)).toBeUndefined();
        const renewed = renewedExpiry({ ...job, endedAt, expiresAt }, retention, NOW) ?? expiresAt;
        expect(renewedExpiry({ ...job, endedAt, expiresAt: renewed }, retention, NOW + DAY)).toBeUndefined();
        expect(renewed).toBeGreaterThanOrEqual(Math.floor((endedAt + kept * DAY) / 1_000) * 1_000);
      }),
    );
  });
});

describe("the expiry of a stored page", () => {
  it.each([
    ["stays where it was written during the Job", NOW + 50 * DAY, NOW + 20 * DAY, rules, undefined],
    ["follows a longer retention", NOW + 50 * DAY, NOW + 60 * DAY, rules, NOW + 67 * DAY],
    ["follows a shorter retention", NOW + 800 * DAY, NOW + 20 * DAY, rules, NOW + 27 * DAY],
    ["is removed by a hold", NOW + 50 * DAY, NEVER, rules, NEVER],
    ["stays removed", NEVER, NEVER, rules, undefined],
    ["comes back when a hold is released", NEVER, NOW + 20 * DAY, rules, NOW + 27 * DAY],
    ["stays while the Job is live", NOW + 50 * DAY, undefined, rules, undefined],
    ["is extended while the Job is live", NOW + 20 * DAY, undefined, rules, NOW + 60 * DAY],
    ["is shortened while the Job is live", NEVER, undefined, rules, NOW + 60 * DAY],
  ] as const)("%s", (_, page, stateExpiresAt, retention, expected) => {
    expect(renewedPageExpiry(page, { ...job, stateExpiresAt }, { retention, now: NOW })).toBe(expected);
  });

  it("never comes before that of the state", () => {
    const instant = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constant(NEVER / DAY));
    fc.assert(
      fc.property(instant, instant, (page, state) => {
        const owner = { ...job, stateExpiresAt: state * DAY };
        const renewed = renewedPageExpiry(page * DAY, owner, { retention: rules, now: NOW }) ?? page * DAY;
        expect(renewed).toBeGreaterThanOrEqual(Math.min(NEVER, state * DAY));
        expect(renewedPageExpiry(renewed, owner, { retention: rules, now: NOW })).toBeUndefined();
      }),
    );
  });
});
