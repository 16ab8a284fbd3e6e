import { describe, expect, it } from "vitest";
import type { ApiResult } from "../../../web/api/api-result.ts";
import { ChangePoll, type PolledChanges } from "../../../web/api/change-poll.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const START = 1_000_000;
const TURN = 30_000;
const job = listedJob();

function answered(said: Partial<PolledChanges> = {}): ApiResult<PolledChanges> {
  return { outcome: "answered", answer: { items: [], nextCursor: "next", more: false, ...said }, at: 0 };
}

/** The requests of turns, each answered alike. */
function turns(poll: ChangePoll, count: number, result: ApiResult<PolledChanges>) {
  return Array.from({ length: count }, (_, turn) => {
    const now = START + (turn + 1) * TURN;
    const parameters = poll.next(now);
    return { parameters, news: parameters === undefined ? "missed" : poll.take(result, now) };
  });
}

describe("the polls of a page for changes", () => {
  it("begin before the page was opened, and continue with the cursor", () => {
    const [first, second] = turns(new ChangePoll(START), 2, answered());
    expect(first?.parameters).toEqual({ since: "45s", limit: 100, heartbeats: "true" });
    expect(second?.parameters).toEqual({ cursor: "next", limit: 100, heartbeats: undefined });
  });

  it("ask for heartbeats in every fourth turn", () => {
    const asked = turns(new ChangePoll(START), 8, answered()).map(({ parameters }) => parameters?.["heartbeats"]);
    expect(asked).toEqual(["true", undefined, undefined, undefined, "true", undefined, undefined, undefined]);
  });

  it("report the changed Jobs", () => {
    const [turn] = turns(new ChangePoll(START), 1, answered({ items: [{ job }] }));
    expect(turn?.news).toEqual([job]);
  });

  it("let lists be read again while there are too many changes, with one request in each turn", () => {
    const busy = turns(new ChangePoll(START), 5, answered({ more: true }));
    expect(busy.map(({ parameters }) => parameters !== undefined)).toEqual([true, false, false, false, true]);
    expect(busy.map(({ news }) => news)).toEqual(["missed", "missed", "missed", "missed", []]);
  });

  it("follow changes again when there are fewer, from when the lists were read", () => {
    const poll = new ChangePoll(START);
    turns(poll, 4, answered({ more: true }));
    const now = START + 5 * TURN;
    expect(poll.next(now)).toMatchObject({ since: "45s" });
    expect(poll.take(answered({ items: [{ job }] }), now)).toEqual([job]);
    expect(poll.next(now + TURN)).toMatchObject({ cursor: "next" });
  });

  it.each([400, 410])("begin again after a cursor that is refused with %i", (status) => {
    const poll = new ChangePoll(START);
    turns(poll, 1, answered());
    poll.next(START + 2 * TURN);
    const refused = { outcome: "refused", status, title: "", detail: "" } as const;
    expect(poll.take(refused, START + 2 * TURN)).toBe("missed");
    expect(poll.next(START + 3 * TURN)).toMatchObject({ since: "45s" });
  });

  it("keep their cursor while the server refuses too many requests", () => {
    const poll = new ChangePoll(START);
    turns(poll, 1, answered());
    const [refused, next] = turns(poll, 2, { outcome: "refused", status: 429, title: "", detail: "" });
    expect(refused).toMatchObject({ parameters: { cursor: "next" }, news: [] });
    expect(next?.parameters).toMatchObject({ cursor: "next" });
  });

  it("repeat a request that failed, and miss nothing", () => {
    const poll = new ChangePoll(START);
    const [, failed] = turns(poll, 2, { outcome: "unreachable", detail: "no network" });
    expect(failed).toMatchObject({ parameters: { since: "75s" }, news: [] });
  });
});
