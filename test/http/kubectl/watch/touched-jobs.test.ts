import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SegmentEffects, type TouchedJob } from "../../../../src/http/kubectl/watch/touched-jobs.ts";
import { canonical } from "../../../../src/job/model/canonical.ts";
import { isJobFact, type JobFact } from "../../../../src/job/model/fact.ts";
import { emptyJob, factsOf, joinFacts, type JobRecord } from "../../../../src/job/model/job-record.ts";
import type { LogItem } from "../../../../src/ports/log.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { positionAt } from "../../../../src/query/changes/log-position.ts";
import type { Scope } from "../../../../src/query/access/scope.ts";
import { decodeSegment } from "../../../../src/segment/decode-segment.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { Story } from "../../../support/story/story.ts";

const cluster = clusterNamed("east");
const NOON = Date.UTC(2026, 10, 21, 12);

/** The effects of segments that are in the log and, up to `projected` of them, in the projection. */
async function openEffects(items: readonly LogItem[], projected: number, scope: Scope = "everything") {
  const ports = { log: new MemoryLog(), jobs: new MemoryJobStore(), meta: new MemoryMetaStore() };
  for (const item of items) await ports.log.append(item);
  await projectSegments(ports, items.slice(0, projected), { attempts: 3, pause: async () => undefined });
  const effects = new SegmentEffects(ports, { cluster, scope });
  return (item: LogItem, isBehind: boolean) =>
    collect(effects.touch({ segment: segmentOf(item), key: item.key, isBehind, position: positionAt(NOON) }));
}

function segmentOf({ bytes }: LogItem) {
  const decoded = decodeSegment(bytes);
  if (decoded.outcome !== "decoded") throw new Error(decoded.outcome);
  return decoded.segment;
}

function joinOf({ jobUid }: TouchedJob, items: readonly LogItem[]): JobRecord {
  const facts = items.flatMap((item) => segmentOf(item).facts.filter(isJobFact));
  return joinFacts(
    emptyJob(jobUid),
    facts.filter((fact) => fact.jobUid === jobUid),
  );
}

function textsOf(records: { readonly before: JobRecord; readonly after: JobRecord } | undefined): unknown {
  return records && [records.before, records.after].map((record) => canonical(factsOf(record)));
}

const sealed = fc
  .tuple(fc.array(arbitraryFact, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 8 }))
  .map(([facts, size]) => sealInSegments(facts, size, NOON));

describe("the effect of a segment on a Job", () => {
  it("is what its facts add to the segments before it, however much of the log is projected", async () => {
    await fc.assert(
      fc.asyncProperty(sealed, fc.nat({ max: 40 }), async (items, projected) => {
        const touch = await openEffects(items, projected);
        for (const [index, item] of items.entries()) {
          for (const touched of await touch(item, false)) {
            const before = joinOf(touched, items.slice(0, index));
            const after = joinOf(touched, items.slice(0, index + 1));
            expect(textsOf(touched.fold)).toEqual(textsOf({ before, after }));
            expect(touched.behind).toBeUndefined();
          }
        }
      }),
    );
  });

  it("that arrived late is also what its facts add to all other segments", async () => {
    await fc.assert(
      fc.asyncProperty(sealed, fc.nat(), async (items, number) => {
        const late = items[number % items.length];
        if (late === undefined) return;
        const touch = await openEffects(items, items.length);
        for (const touched of await touch(late, true)) {
          const others = joinOf(
            touched,
            items.filter((item) => item !== late),
          );
          // Without later segments, the others are those before it.
          expect(textsOf(touched.behind ?? touched.fold)).toEqual(
            textsOf({ before: others, after: joinOf(touched, items) }),
          );
        }
      }),
    );
  });

  it("names each Job of the segment once, in the order of uids, with its facts", async () => {
    const facts = ["b", "a", "b"].flatMap((name) => created(name));
    const [item] = sealInSegments(facts, facts.length, NOON);
    if (item === undefined) throw new Error("There is one segment.");
    const touched = await (await openEffects([item], 0))(item, false);
    const own = segmentOf(item).facts.filter(isJobFact);
    expect(touched.map(({ jobUid }) => jobUid)).toEqual(["a", "b"]);
    for (const { jobUid, facts: some } of touched) {
      expect(some).toEqual(own.filter((fact) => fact.jobUid === jobUid));
    }
  });

  it("on a Job outside of the scope is not computed", async () => {
    const items = sealInSegments(created("a"), 1, NOON);
    const touch = await openEffects(items, items.length, { grants: [{ cluster, namespaces: ["other"] }] });
    for (const item of items) expect(await touch(item, false)).toEqual([]);
  });

  it.each([
    [64, true],
    [65, false],
  ])("with %i segments before it is folded: %s", async (earlier, isFolded) => {
    const story = new Story("report");
    story.jobCreated();
    while (story.facts.length <= earlier) story.jobReported({ active: story.facts.length });
    const items = sealInSegments(story.facts, 1, NOON);
    const last = items.at(-1);
    if (last === undefined || items.length !== earlier + 1) throw new Error("There is a segment for each fact.");
    const [touched] = await (await openEffects(items, items.length))(last, false);
    expect(touched?.fold !== undefined).toBe(isFolded);
    expect(touched?.facts).toHaveLength(1);
  });
});

function created(name: string): readonly JobFact[] {
  const story = new Story(name);
  story.jobCreated();
  return story.facts;
}
