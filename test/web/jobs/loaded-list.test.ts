import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Parameters } from "../../../web/api/request.ts";
import { LoadedList, PAGE_SIZE } from "../../../web/jobs/loaded-list.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const abort = new AbortController().signal;
const job = (n: number): JobAnswer => listedJob({ uid: String(n), name: `job-${n}`, createdAt: second(n) });
/** Newest first. */
const JOBS = Array.from({ length: 250 }, (_, n) => job(1_000 - n));

/** A list over an API that has these Jobs, and the requests that it sent. */
function listOf(jobs: readonly JobAnswer[], filters: Readonly<Record<string, string>> = {}) {
  const requests: Parameters[] = [];
  let meanwhile: (() => void) | undefined;
  const list = new LoadedList(filters, async (parameters) => {
    requests.push(parameters);
    const begin = Number(parameters["cursor"] ?? 0);
    const end = begin + Number(parameters["limit"]);
    meanwhile?.();
    const answer = { items: jobs.slice(begin, end), ...(end < jobs.length && { nextCursor: String(end) }) };
    return { outcome: "answered", answer, at: 0 };
  });
  const names = () => list.list.value.rows.map(({ name }) => name);
  return { list, requests, names, during: (action: () => void) => (meanwhile = action) };
}

describe("the loaded part of a list of Jobs", () => {
  it("begins with one page and grows page by page to the end", async () => {
    const { list, requests, names } = listOf(JOBS);
    await list.readFirst(abort);
    expect(list.list.value).toMatchObject({ more: true, rows: { length: PAGE_SIZE } });
    expect(list.isLong).toBe(false);
    await list.readMore();
    await list.readMore();
    await list.readMore();
    expect(names()).toEqual(JOBS.map(({ name }) => name));
    expect(list.list.value.more).toBe(false);
    expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, "100", "200"]);
  });

  it("loads one page at a time", async () => {
    const { list, requests } = listOf(JOBS);
    await list.readFirst(abort);
    await Promise.all([list.readMore(), list.readMore()]);
    expect(requests).toHaveLength(2);
  });

  it("returns to the first page when it is read again", async () => {
    const { list, names } = listOf(JOBS);
    await list.readFirst(abort);
    await list.readMore();
    expect(list.isLong).toBe(true);
    await list.readFirst(abort);
    expect(names()).toHaveLength(PAGE_SIZE);
  });

  it("keeps a change that arrived while an older answer was on its way", async () => {
    const { list, during } = listOf(JOBS);
    const changed = { ...job(1_000), verdict: { state: "Failed", final: true, basis: "both" } } as const;
    during(() => list.take([changed]));
    await list.readFirst(abort);
    expect(list.list.value.rows[0]?.state).toBe("Failed");
  });

  it("shows a Job once if pages overlap", async () => {
    const { list, names } = listOf(JOBS);
    await list.readFirst(abort);
    const [next] = JOBS.slice(PAGE_SIZE);
    if (next !== undefined) list.take([next]);
    await list.readMore();
    expect(new Set(names()).size).toBe(names().length);
  });

  it("says that it is behind after missed changes, if it is not read again", async () => {
    const { list } = listOf(JOBS);
    await list.readFirst(abort);
    list.fallBehind();
    expect(list.list.value.isBehind).toBe(false);
    await list.readMore();
    list.fallBehind();
    expect(list.list.value.isBehind).toBe(true);
    await list.readFirst(abort);
    expect(list.list.value.isBehind).toBe(false);
  });

  it("stops after three empty pages, and continues on request", async () => {
    const requests: Parameters[] = [];
    const list = new LoadedList({ state: "Failed" }, async (parameters) => {
      requests.push(parameters);
      const answer = { items: [], nextCursor: String(requests.length) };
      return { outcome: "answered", answer, at: 0 };
    });
    await list.readFirst(abort);
    expect(list.list.value).toMatchObject({ rows: [], more: true });
    await list.readMore();
    expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, "1", "2", "3", "4", "5"]);
  });

  it.each([
    ["a work queue that runs", { completions: undefined, state: "Running" }, true],
    ["a Job of one Pod that runs", { completions: 1, state: "Running" }, false],
    ["a finished Job", { completions: 3, state: "Complete" }, false],
  ] as const)("has progress that is not announced: %s", async (_, { completions, state }, expected) => {
    const one = job(1);
    const { completions: _given, ...spec } = one.spec;
    const verdict = { ...one.verdict, state };
    const { list } = listOf([{ ...one, verdict, spec: { ...spec, ...(completions && { completions }) } }]);
    await list.readFirst(abort);
    expect(list.hasProgress).toBe(expected);
  });

  it("keeps its rows while a page cannot be read", async () => {
    let answers = 0;
    const list = new LoadedList({}, async () => {
      answers += 1;
      if (answers > 1) return { outcome: "unreachable", detail: "no network" };
      return { outcome: "answered", answer: { items: JOBS.slice(0, 2), nextCursor: "x" }, at: 0 };
    });
    await list.readFirst(abort);
    await list.readMore();
    expect(list.list.value).toMatchObject({ more: true, isGrowing: false, rows: { length: 2 } });
  });
});
