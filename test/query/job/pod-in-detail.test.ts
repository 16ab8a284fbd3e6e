import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { HistoryEntry } from "../../../src/query/job/job-history.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

async function reportApi(completions: number, successes: number) {
  const story = new Story("report");
  story.jobCreated({ completions });
  story.jobTracked();
  for (let number = 0; number < successes; number += 1) {
    story.podSucceeds(`p${number}`, 1, { tracked: true });
    story.podReserved(`p${number}`, { cpu: "500m" });
  }
  const { ask } = apiOver(await storesWithFacts(story.facts));
  const list = async <Item>(what: string) =>
    (await ask(`/v1/clusters/east/namespaces/default/jobs/report/${what}`)).body as Page<Item>;
  const [, pod] = (await list<Attempt>("pods")).items;
  return { list, uid: pod?.uid ?? "", attempt: pod };
}

describe("one Pod of a Job", () => {
  it("is the attempt of the list, with its request and what became of its time", async () => {
    const { list, uid, attempt } = await reportApi(3, 3);
    const { items, nextCursor } = await list<Attempt>(`pods?podUid=${uid}`);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ ...attempt, requests: { cpu: "500m" }, usage: { pods: 1, bound: "exact" } });
    expect(items[0]?.usage?.podSeconds).toMatchObject({ kept: 1, duplicate: 0 });
    expect(nextCursor).toBeUndefined();
  });

  it("has no usage if the Job has more successes than count", async () => {
    const { list, uid } = await reportApi(1, 3);
    const { items } = await list<Attempt>(`pods?podUid=${uid}`);
    expect(items[0]?.usage).toBeUndefined();
  });

  it("is nothing if the Job has no such Pod", async () => {
    const { list } = await reportApi(1, 1);
    expect((await list("pods?podUid=none")).items).toEqual([]);
    expect((await list("history?podUid=none")).items).toEqual([]);
  });

  it("has a history of its own facts", async () => {
    const { list, uid, attempt } = await reportApi(2, 2);
    const own = (await list<HistoryEntry>(`history?podUid=${uid}`)).items;
    const all = (await list<HistoryEntry>("history")).items;
    expect(own.length).toBeGreaterThan(3);
    expect(own).toEqual(all.filter(({ object }) => object === `pod/${attempt?.name}`));
  });

  it("is paged through with a cursor that is valid for this Pod only", async () => {
    const { list, uid } = await reportApi(2, 2);
    const first = await list<HistoryEntry>(`history?podUid=${uid}&limit=1`);
    const second = await list<HistoryEntry>(`history?podUid=${uid}&limit=1&cursor=${first.nextCursor}`);
    expect(second.items).not.toEqual(first.items);
    const other = await list<HistoryEntry>(`history?limit=1&cursor=${first.nextCursor}`);
    expect(other).toMatchObject({ status: 400 });
  });

  it("of a large Job is found in its stored pages", async () => {
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    const lives = numbers.flatMap((number) => [...podBeginFacts(number, number), ...podEndFacts(number)]);
    const stores = await storesWithFacts([...largeJobFacts({ indexed: true, completions: 300 }), ...lives], 800);
    const { ask } = apiOver(stores);
    const pods = "/v1/clusters/east/namespaces/default/jobs/large/pods";
    const { items: all } = (await ask(`${pods}?limit=1000`)).body as Page<Attempt>;
    const { items } = (await ask(`${pods}?podUid=${all[299]?.uid}`)).body as Page<Attempt>;
    expect(items[0]).toMatchObject({ ...all[299] });
  });
});
