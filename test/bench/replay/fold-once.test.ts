import { describe, expect, it } from "vitest";
import { importLine, itemOf, JobInPagesError, joinPartials, partialStates } from "../../../bench/replay/fold-once.ts";
import { largeJobFacts, largeJobUid, podBeginFacts } from "../../support/facts/large-job-facts.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

describe("a Job whose Pods are in pages", () => {
  it("is not joined, because its pages would be missing", async () => {
    const pods = Array.from({ length: 300 }, (_, number) => podBeginFacts(number)).flat();
    const items = sealInSegments([...largeJobFacts({ indexed: false, completions: 300 }), ...pods], 1_000, NOON);
    const [[key, bytes] = expect.fail()] = await partialStates(new MemoryMetaStore(), items);
    expect(key.jobUid).toBe(largeJobUid);
    await expect(joinPartials(key, [bytes])).rejects.toThrow(JobInPagesError);
  });
});

describe("a line of an import file", () => {
  it("is the item that the live projection writes, in DynamoDB JSON", async () => {
    const items = sealInSegments(largeJobFacts({ indexed: false, completions: 3 }), 10, NOON);
    const [[key, bytes] = expect.fail()] = await partialStates(new MemoryMetaStore(), items);
    const item = itemOf(key, await joinPartials(key, [bytes]), NOON);
    const line = importLine(item);
    expect(line.endsWith("\n")).toBe(true);
    const { Item: read } = JSON.parse(line) as { readonly Item: Record<string, { readonly B?: string }> };
    expect(Object.keys(read)).toEqual(Object.keys(item));
    expect(read["pk"]).toEqual({ S: `east#${largeJobUid}` });
    expect(Buffer.from(read["state"]?.B ?? "", "base64")).toEqual(Buffer.from(item["state"]?.B ?? []));
  });
});
