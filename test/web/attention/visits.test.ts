import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isNew,
  readVisits,
  VISIT_ENDS_AFTER,
  type Visits,
  whileVisible,
  withFirstAnswer,
  withListed,
  withSeen,
} from "../../../web/attention/visits.ts";

const MINUTE = 60_000;
const NOON = Date.parse("2026-01-02T12:00:00Z");

function entry(id: string, minutes: number) {
  return { id, latestAt: new Date(NOON + minutes * MINUTE).toISOString() };
}

/** A first visit at noon that listed these entries, and ended. */
function afterVisit(...listed: readonly ReturnType<typeof entry>[]): Visits {
  const first = withFirstAnswer(whileVisible(undefined, NOON), listed, NOON);
  return withListed(first, listed);
}

function seenAfter(visits: Visits) {
  return whileVisible(visits, LATER).seen;
}

const LATER = NOON + VISIT_ENDS_AFTER + 1;

describe("the first visit", () => {
  it("has nothing new in its first answer, also if the view is opened later", () => {
    const visits = withFirstAnswer(whileVisible(undefined, NOON), [entry("a", -1)], NOON);
    expect(isNew(visits, entry("a", -1))).toBe(false);
    expect(isNew(whileVisible(undefined, NOON), entry("a", -1))).toBe(false);
  });

  it("has new what comes after that, and a second answer does not change it", () => {
    const visits = withFirstAnswer(afterVisit(entry("a", -1)), [entry("a", 1), entry("b", 1)], NOON + MINUTE);
    expect([isNew(visits, entry("a", 1)), isNew(visits, entry("b", 1))]).toEqual([true, true]);
  });

  it("stays the first while the API has not answered", () => {
    expect(whileVisible(whileVisible(undefined, NOON), LATER).isFirst).toBe(true);
  });
});

describe("a visit", () => {
  it.each([
    [VISIT_ENDS_AFTER, true],
    [VISIT_ENDS_AFTER + 1, false],
  ])("after %i ms without a visible tab is the same: %j", (millis, isSame) => {
    const before = afterVisit();
    expect(whileVisible(before, NOON + millis).isFirst).toBe(isSame);
  });

  it("makes what the last one listed seen, and keeps the rest new", () => {
    const visits = whileVisible(withListed(afterVisit(entry("a", 0)), [entry("b", 1)]), LATER);
    expect(visits.isFirst).toBe(false);
    expect([entry("a", 0), entry("b", 1), entry("c", 1)].map((one) => isNew(visits, one))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("keeps new what was listed during it, until it ends", () => {
    const visits = withListed(afterVisit(), [entry("a", 1)]);
    expect(isNew(visits, entry("a", 1))).toBe(true);
    expect(isNew(whileVisible(visits, LATER), entry("a", 1))).toBe(false);
  });

  it("has an entry new again when a later Job comes into it", () => {
    const visits = whileVisible(afterVisit(entry("a", 0)), LATER);
    expect(isNew(visits, entry("a", 0))).toBe(false);
    expect(isNew(visits, entry("a", 9))).toBe(true);
  });

  it("has an entry new that arrives late, and an old one that a longer range shows not", () => {
    const visits = whileVisible(afterVisit(), LATER);
    expect(isNew(visits, entry("late", -23 * 60))).toBe(true);
    expect(isNew(visits, entry("old", -25 * 60))).toBe(false);
  });

  it("has nothing new that the reader marked as seen", () => {
    const visits = withSeen(whileVisible(afterVisit(), LATER), [entry("a", 1)]);
    expect(isNew(visits, entry("a", 1))).toBe(false);
    expect(isNew(visits, entry("b", 1))).toBe(true);
  });
});

describe("a clock that was set back", () => {
  it("ends no visit, and hides nothing that comes then", () => {
    const visits = whileVisible(afterVisit(), NOON - 10 * 86_400_000);
    expect(visits.isFirst).toBe(true);
    expect(isNew(visits, entry("a", -10 * 24 * 60))).toBe(true);
  });
});

describe("two tabs", () => {
  it("keep one visit while either is visible", () => {
    let visits = afterVisit();
    for (let turn = 1; turn <= 10; turn += 1) visits = whileVisible(visits, NOON + turn * 4 * MINUTE);
    expect(visits.since).toBe(NOON);
  });

  it("remember what each listed, in any order", () => {
    const [one, other] = [[entry("a", 1)], [entry("b", 2)]];
    expect(seenAfter(withListed(withListed(afterVisit(), one), other))).toEqual(
      seenAfter(withListed(withListed(afterVisit(), other), one)),
    );
  });
});

describe("stored visits", () => {
  it("are read back", () => {
    const entries = fc.array(fc.record({ id: fc.uuid(), minutes: fc.integer({ min: -9_999, max: 9_999 }) }));
    fc.assert(
      fc.property(entries, (given) => {
        const visits = afterVisit(...given.map(({ id, minutes }) => entry(id, minutes)));
        expect(readVisits(JSON.stringify(visits))).toEqual(visits);
      }),
    );
  });

  it("are bounded, and keep the newest entries", () => {
    const many = Array.from({ length: 1_200 }, (_, n) => entry(`e${n}`, n));
    const { listed } = afterVisit(...many);
    expect(Object.keys(listed)).toHaveLength(1_000);
    expect([listed["e1199"], listed["e100"]]).toEqual([entry("e1199", 1_199).latestAt, undefined]);
  });

  it.each([
    null,
    "",
    "{",
    "[]",
    "1",
    '{"isFirst":true,"activeAt":1}',
    '{"isFirst":true,"activeAt":1,"seen":{"a":1},"listed":{}}',
  ])("of another form are ignored: %j", (text) => {
    expect(readVisits(text)).toBeUndefined();
  });
});
