import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "../../../src/job/model/fact.ts";
import { afterAll, describe, expect, it } from "vitest";
import { type ReadingTally, recordedFacts, openRecording } from "../../../src/host/embedded/recorded-facts.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { jobObject } from "../../support/kubernetes/watch-objects.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function emptyTally(): ReadingTally {
  return { events: 0, rejected: [], rejectedBeyond: 0 };
}

function recording(name: string, ...lines: readonly string[]): string {
  const file = join(scratch.path, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const added = (object: object, more: object = {}) => JSON.stringify({ type: "ADDED", object, ...more });

/** A Node with a heartbeat. */
const node = (resourceVersion: string, lastHeartbeatTime: string) => ({
  kind: "Node",
  metadata: { name: "node-a", uid: "n", resourceVersion, creationTimestamp: "2026-11-22T11:00:00Z" },
  status: {
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-11-22T11:00:00Z", lastHeartbeatTime }],
  },
});

/** A namespace, with or without an annotation for Outlive. */
const namespace = (resourceVersion: string, annotations?: object) => ({
  kind: "Namespace",
  metadata: { name: "payments", uid: "ns-1", resourceVersion, ...(annotations && { annotations }) },
});

describe("the facts of recordings", () => {
  it("are about a namespace while it has annotations for Outlive, and once when it has none any more", async () => {
    const marked = namespace("2", { "outlive.dev/notify": "team-a" });
    const objects = [namespace("1"), marked, namespace("3"), namespace("4")];
    const file = recording("namespaces", ...objects.map((object) => added(object)));
    const tally = emptyTally();
    const versions: number[] = [];
    for await (const facts of recordedFacts([file], tally)) {
      versions.push(...facts.map(({ resourceVersion }) => resourceVersion));
    }
    expect(versions).toEqual([2, 3]);
    expect(tally.events).toBe(4);
  });

  it("are yielded event by event, each with the time at which it was received", async () => {
    const file = recording("job", added(jobObject(), { receivedAt: "2026-11-22T12:00:00.500Z" }));
    const tally = emptyTally();
    const times: (number | undefined)[] = [];
    for await (const facts of recordedFacts([file], tally)) {
      expect(facts[0]?.kind).toBe("JobCreated");
      times.push(tally.receivedAt);
    }
    expect(times).toEqual([Date.UTC(2026, 10, 22, 12, 0, 0, 500)]);
    expect(tally.events).toBe(1);
  });

  it("end with the last heartbeat of a Node, which shows that the cluster was still observed", async () => {
    const lines = [node("7", "2026-11-22T12:30:00Z"), node("5", "2026-11-22T12:10:00Z")].map((one) => added(one));
    const file = recording("heartbeats", added(jobObject()), ...lines);
    const facts: Fact[] = [];
    for await (const some of recordedFacts([file], emptyTally())) facts.push(...some);
    expect(facts.at(-1)).toMatchObject({ kind: "ClusterObserved", at: Date.UTC(2026, 10, 22, 12, 30) });
    expect(facts.filter(({ kind }) => kind === "ClusterObserved")).toHaveLength(1);
  });

  it("leave out unreadable parts, which are listed with file, line and reason", async () => {
    const file = recording("damaged", "{", added({ kind: "Job", metadata: {} }), added({ kind: "Secret" }));
    const tally = emptyTally();
    for await (const facts of recordedFacts([file], tally)) expect(facts).toEqual([]);
    expect(tally.rejected).toMatchObject([
      { file, line: 1 },
      { file, line: 2 },
    ]);
    expect(tally.events).toBe(1);
  });

  it("are not read at all where one of the files does not exist", async () => {
    const first = recordedFacts([recording("present", added(jobObject())), join(scratch.path, "absent")], emptyTally());
    await expect(first.next()).rejects.toThrow(/There is no file/);
  });
});

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a recording", () => {
  it("is read from a file", async () => {
    const file = join(scratch.path, "recording.ndjson");
    writeFileSync(file, "a line\n");
    expect(await textOf(await openRecording(file))).toBe("a line\n");
  });

  it.each([
    ["does not exist", "absent.ndjson", /^There is no file .*absent\.ndjson\. Check the path\.$/],
    ["is a folder", "", /it is a folder\. Name the files in it\.$/],
  ])("is refused before it is read if it %s", async (_, name, message) => {
    const opening = openRecording(join(scratch.path, name));
    await expect(opening).rejects.toMatchObject({ name: "CommandFailure", exitStatus: 2 });
    await expect(opening).rejects.toThrow(message);
  });
});
