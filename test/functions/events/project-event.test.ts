import { describe, expect, it } from "vitest";
import { onStreamRecords } from "../../../functions/events/project-event.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { streamRecord } from "../../support/aws/stream-event.ts";
import {
  cluster,
  NOON,
  outage,
  poison,
  projectingFunctions,
  segmentOf,
} from "../../support/aws/projecting-functions.ts";

describe("records of the log's stream", () => {
  it("are projected into the live projection, with one write per Job", async () => {
    const { project, jobs, told, sent, names } = projectingFunctions();
    await project([streamRecord(segmentOf("render", "bake")), streamRecord(segmentOf("render"))]);
    expect(names()).toEqual(["bake", "render"]);
    expect([...jobs.states.values()].map(({ version }) => version)).toEqual([1, 1]);
    expect(told.counts).toEqual({ ForeignStreamRecords: 0, Writes: 2, UnfoldedSegments: 0 });
    expect(sent).toEqual([]);
  });

  it("change nothing if they are delivered again", async () => {
    const { project, jobs, told } = projectingFunctions();
    const records = [streamRecord(segmentOf("render"))];
    await project(records);
    const before = jobs.contents();
    await project(records);
    expect(jobs.contents()).toEqual(before);
    expect(told.counts.Writes).toBe(1);
  });

  it("go to the refold queue if their Job cannot be projected; other Jobs are projected", async () => {
    const { project, jobs, told, sent, names } = projectingFunctions();
    jobs.refused.set("render", poison);
    const [bad, good] = [segmentOf("render", "bake"), segmentOf("toast")];
    await project([streamRecord(bad), streamRecord(good)]);
    expect(names()).toEqual(["bake", "toast"]);
    expect(sent).toEqual([bad.key]);
    expect(told.counts).toMatchObject({ UnfoldedSegments: 1, Writes: 2 });
    expect(told.lines).toEqual([expect.stringContaining("The item is too large.")]);
  });

  it("go to the refold queue if they cannot be decoded", async () => {
    const { project, sent, names } = projectingFunctions();
    const damaged = { ...segmentOf("render"), bytes: new Uint8Array(30) };
    const { dynamodb, ...rest } = streamRecord(segmentOf("bake"));
    const imageless = { ...rest, dynamodb: { Keys: dynamodb?.Keys ?? {} } };
    await project([streamRecord(damaged), imageless, streamRecord(segmentOf("toast"))]);
    expect(names()).toEqual(["toast"]);
    expect(sent.map(({ sk }) => sk)).toEqual([damaged.key.sk, dynamodb?.Keys?.["sk"]?.S]);
  });

  it("are retried by the stream if no item can be projected", async () => {
    const { project, jobs, sent } = projectingFunctions();
    jobs.refused.set("*", outage);
    await expect(project([streamRecord(segmentOf("render")), streamRecord(segmentOf("bake"))])).rejects.toThrow(
      /^None of 2 log items could be projected\. Lambda will retry them\. The table is throttled\.$/,
    );
    expect(sent).toEqual([]);
    jobs.refused.clear();
    await project([streamRecord(segmentOf("render"))]);
  });

  it("go to the refold queue if an outage begins within the batch", async () => {
    const { project, jobs, sent } = projectingFunctions();
    jobs.refused.set("render", outage);
    const [late] = [segmentOf("render")];
    await project([streamRecord(late), streamRecord(segmentOf("bake"))]);
    expect(sent).toEqual([late.key]);
  });

  it("are retried by the stream if the refold queue rejects their keys", async () => {
    const { stores, jobs, told } = projectingFunctions();
    jobs.refused.set("render", poison);
    const refoldQueue = {
      send: async () => {
        throw new Error("The queue is down.");
      },
    };
    const event = { Records: [streamRecord(segmentOf("render")), streamRecord(segmentOf("bake"))] };
    await expect(onStreamRecords({ ...stores, refoldQueue }, event, told.context)).rejects.toThrow("queue is down");
  });

  it("are retried later if no time is left", async () => {
    const { project, told, sent, names } = projectingFunctions();
    told.remainingMillis = 3_000;
    const item = segmentOf("render");
    await project([streamRecord(item)]);
    expect(names()).toEqual([]);
    expect(sent).toEqual([item.key]);
  });

  it("count write conflicts", async () => {
    const { project, jobs, told, names } = projectingFunctions();
    jobs.conflicts = 3;
    await project([streamRecord(segmentOf("render"))]);
    expect(names()).toEqual(["render"]);
    expect(told.counts).toMatchObject({ Writes: 1, WriteConflicts: 3 });
  });

  it.each([
    ["a change of an item", streamRecord(segmentOf("render"), "MODIFY"), 1],
    ["a deletion by a principal", streamRecord(segmentOf("render"), "REMOVE"), 1],
    [
      "a deletion by another service",
      streamRecord(segmentOf("render"), "REMOVE", { userIdentity: { type: "Service", principalId: "replication" } }),
      1,
    ],
    [
      "an expiry",
      streamRecord(segmentOf("render"), "REMOVE", {
        userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" },
      }),
      0,
    ],
  ])("report %s, and project nothing", async (_, record, foreign) => {
    const { project, told, names } = projectingFunctions();
    await project([record, streamRecord(segmentOf("bake"))]);
    expect(told.counts.ForeignStreamRecords).toBe(foreign);
    expect(told.lines).toHaveLength(foreign);
    expect(names()).toEqual(["bake"]);
  });
});

describe("records of a large Job", () => {
  it("are collected for a second, and projected together by one key", async () => {
    const { project, refold, jobs, stores, sent, told } = projectingFunctions();
    const pods = Array.from({ length: 400 }, (_, number) => number);
    const beginning = [
      ...largeJobFacts({ indexed: false, completions: 1_000 }),
      ...pods.flatMap((pod) => podBeginFacts(pod)),
    ];
    const items = [beginning, podEndFacts(1), podEndFacts(2)].map((facts, quarter) =>
      sealSegment({ cluster, sealedAt: NOON + quarter * 250, session: "0123456789abcdef", sequence: quarter, facts }),
    );
    for (const item of items) {
      await stores.log.append(item);
      await project([streamRecord(item)]);
    }
    const version = () => jobs.states.get(`east|${largeJobUid}`)?.version;
    expect(version()).toBe(1);
    expect(sent).toEqual([items[1]?.key]);
    expect(told.counts).toMatchObject({ UnfoldedSegments: 0 });
    expect(await refold(sent.map((key) => JSON.stringify(key)))).toEqual({ batchItemFailures: [] });
    expect(version()).toBe(2);
    await project(items.map((item) => streamRecord(item)));
    expect(version()).toBe(2);
  });
});
