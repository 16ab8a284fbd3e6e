import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completenessOf, cutAnswer, evidenceId, evidenceOf, MAX_RESULT_BYTES } from "../../../src/http/mcp/answer.ts";
import { placeIn } from "../../../src/http/mcp/tool.ts";

const head = { sentence: "It failed.", gaps: [], evidence: [] };
const question = { get: "report" };

interface Sent {
  readonly facts: readonly unknown[];
  readonly others?: readonly unknown[];
  readonly more?: { readonly count: number; readonly atLeast?: true; readonly cursor: string };
}

function sentOf(...given: Parameters<typeof cutAnswer>): Sent {
  return cutAnswer(...given).structuredContent as unknown as Sent;
}

describe("an answer", () => {
  it("is sent whole if it fits, as structured content and as text", () => {
    const { content, structuredContent } = cutAnswer({ head, lists: { facts: [{ id: "a" }] }, question });
    expect(structuredContent).toEqual({ ...head, facts: [{ id: "a" }] });
    expect(content.map(({ text }) => JSON.parse(text) as unknown)).toEqual([structuredContent]);
  });

  it("is sent in parts that fit, which together have every item once, in order", () => {
    const facts = Array.from({ length: 300 }, (_, index) => ({ id: `PodCreated/${index}/pod/report-${index}` }));
    const others = [{ id: "x" }, { id: "y" }];
    const seen: unknown[] = [];
    let cursor: string | undefined;
    const left: number[] = [];
    do {
      const [sent = 0] = placeIn(question, cursor);
      const part = sentOf({ head, lists: { facts, others }, sent: Number(sent), question });
      seen.push(...part.facts, ...(part.others ?? []));
      left.push(part.more?.count ?? 0);
      ({ cursor } = part.more ?? { cursor: undefined });
    } while (cursor !== undefined);
    expect(seen).toEqual([...facts, ...others]);
    expect(left.length).toBeGreaterThan(2);
    expect(left.every((count, index) => index === 0 || count < (left[index - 1] ?? 0))).toBe(true);
  });

  it("that goes on says so, also if all items of a page fit", () => {
    const { more } = sentOf({ head, lists: { facts: [{ id: "a" }] }, next: [0, "page-2"], question });
    expect(more).toEqual({ count: 0, atLeast: true, cursor: expect.any(String) as string });
    expect(placeIn(question, more?.cursor)).toEqual([0, "page-2"]);
  });

  it("refuses a cursor that was changed, or of another question", () => {
    const { more } = sentOf({ head, lists: { facts: [] }, next: [7], question });
    const cursor = more?.cursor ?? "";
    expect(placeIn(question, cursor)).toEqual([7]);
    expect(() => placeIn({ get: "other" }, cursor)).toThrow("The cursor is invalid");
    expect(() => placeIn(question, `${cursor.slice(0, -3)}AAA`)).toThrow("The cursor is invalid");
    expect(() => placeIn(question, "nonsense")).toThrow("The cursor is invalid");
  });

  it("never exceeds the limit, and has at least one item, whatever the texts from the cluster are", () => {
    const text = fc.string({ unit: fc.constantFrom('"', "\\", "é", "漢", "🎉", "a"), maxLength: 300 });
    const item = fc.record({ id: fc.constant("a"), untrusted: fc.array(text, { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), item, (facts, other) => {
        const result = cutAnswer({ head: { ...head, ...other }, lists: { facts }, question });
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
        expect(sentOf({ head: { ...head, ...other }, lists: { facts }, question }).facts.length).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a head that leaves no place for an item", () => {
  const labels = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`label-${index}`, "v"]));
  const crowded = {
    head: {
      ...head,
      evidence: ["PodCreated/1/pod/a"],
      link: "https://outlive.example.org",
      untrusted: { labels },
      cause: { category: "oom", untrusted: { message: "killed" } },
    },
    lists: { facts: [{ id: "a", untrusted: "first" }, { id: "b" }] },
    question,
  };

  it("loses its text from the cluster, so that each part has an item", () => {
    expect(Buffer.byteLength(JSON.stringify(cutAnswer(crowded)))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(sentOf(crowded)).toEqual({ ...head, cause: { category: "oom" }, facts: crowded.lists.facts });
    expect(sentOf({ ...crowded, sent: 1 }).facts).toEqual([{ id: "b" }]);
  });
});

describe("how complete an answer is", () => {
  it("has at most three gaps, and their number", () => {
    const gaps = Array.from({ length: 5 }, () => ({ resources: ["pods", "to be ignored"], reason: "watch expired" }));
    const { gaps: shown, gapCount } = completenessOf({ level: "gaps", gaps });
    expect(shown).toEqual(
      Array.from({ length: 3 }, () => ({ resources: ["pods"], untrusted: { reason: "watch expired" } })),
    );
    expect(gapCount).toBe(5);
  });

  it("says since when a cluster is silent", () => {
    expect(completenessOf({ level: "stale", gaps: [], heardAt: "2026-01-01T00:00:00Z" })).toEqual({
      completeness: "stale",
      heardAt: "2026-01-01T00:00:00Z",
      gaps: [],
    });
  });
});

describe("the ids of facts", () => {
  it("are listed once, at most four", () => {
    const facts = [1, 1, 2, 3, 4, 5].map((version) => ({
      kind: "PodCreated",
      time: "2026-01-01T00:00:00Z",
      resourceVersion: String(version),
      object: "pod/a",
    }));
    expect(evidenceOf(facts, undefined)).toEqual([1, 2, 3, 4].map((version) => `PodCreated/${version}/pod/a`));
  });

  it("leave out a name that could be a sentence", () => {
    expect(evidenceId({ kind: "PodCreated", resourceVersion: "7", object: "pod/do it now" })).toBe("PodCreated/7/");
  });
});
