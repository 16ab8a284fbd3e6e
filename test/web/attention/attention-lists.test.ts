import { describe, expect, it } from "vitest";
import { attentionList, badgeCount } from "../../../web/attention/attention-lists.ts";
import type { Visits } from "../../../web/attention/visits.ts";
import { attentionEntry } from "../../support/story/attention-entry.ts";

const { latestAt } = attentionEntry();
const acknowledged = { by: "alice", note: "", at: latestAt, until: "2026-01-03T00:00:00Z" };
/** Saw the entry "old" and no other. */
const visits: Visits = {
  since: Date.parse(latestAt),
  isFirst: false,
  activeAt: Date.parse(latestAt),
  seen: { old: latestAt },
  listed: {},
};
const ENTRIES = [
  attentionEntry({ id: "old" }),
  attentionEntry({ id: "a" }),
  attentionEntry({ id: "b", acknowledged }),
  attentionEntry({ id: "c", severity: "atRisk" }),
  attentionEntry({ id: "d", severity: "cleanedUp" }),
];

describe("the list of a severity", () => {
  it("has new entries first, and acknowledged ones apart", () => {
    const list = attentionList("failed", ENTRIES, visits);
    expect(list.open.map(({ entry, isNew }) => [entry.id, isNew])).toEqual([
      ["a", true],
      ["old", false],
    ]);
    expect(list.acknowledged.map(({ id }) => id)).toEqual(["b"]);
    expect(list.newCount).toBe(1);
  });
});

describe("the number on the tab", () => {
  it("counts new entries that failed or are at risk and are not acknowledged", () => {
    expect(badgeCount(ENTRIES, visits)).toBe(2);
  });

  it("is 0 before the first visit is known", () => {
    expect(badgeCount(ENTRIES, undefined)).toBe(0);
  });
});
