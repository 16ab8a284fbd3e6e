import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";

const SECRET = "password=hunter2";
const identity = { name: "nightly", namespace: "shop" };
const uid = "11111111-1111-4111-8111-111111111111";
const time = "2026-11-21T12:00:00Z";
const EVENTS = [
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...identity, uid, resourceVersion: "100", creationTimestamp: time, generation: 1 },
    spec: { completions: 1, parallelism: 1, backoffLimit: 6, template: { spec: { containers: [{ name: "work" }] } } },
    status: { conditions: [{ type: "Failed", status: "True", reason: "Custom", message: SECRET }] },
  },
  {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e", namespace: "shop", uid: "22222222-2222-4222-8222-222222222222", resourceVersion: "102" },
    involvedObject: { apiVersion: "batch/v1", kind: "Job", ...identity, uid },
    reason: "FailedCreate",
    message: `Error creating: ${SECRET}`,
    firstTimestamp: time,
    lastTimestamp: time,
  },
].map((object) => JSON.stringify({ type: "ADDED", object }));

let scratch: ReturnType<typeof scratchFolder>;

beforeEach(async () => {
  scratch = scratchFolder();
  writeFileSync(join(scratch.path, "texts.ndjson"), EVENTS.join("\n"));
  await outlive("import", "--database", "old.sqlite", "--cluster", "east", "--include-messages", "texts.ndjson");
});
afterEach(() => scratch.remove());

async function outlive(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, status } = await runOutlive(args, { cwd: scratch.path });
  expect([args, status, stderr]).toEqual([args, 0, stderr]);
  return stdout + stderr;
}

/** All answers about the Job. */
async function answers(database: string): Promise<string> {
  const texts: string[] = [];
  for (const command of ["get", "why", "history", "pods"]) {
    texts.push(await outlive(command, "job/nightly", "-n", "shop", "--database", database, "-o", "json"));
  }
  return texts.join("\n");
}

describe("a copy of a database without messages", { timeout: 120_000 }, () => {
  it("has no text in its log and in any answer, and counts the segments that had", async () => {
    expect(await answers("old.sqlite")).toContain(SECRET);
    const said = await outlive("backup", "new.sqlite", "--database", "old.sqlite", "--without-messages");
    expect(said).toMatch(/Copied 1 segment of old.sqlite to new.sqlite; 1 of them had texts of messages/);
    expect(said).toContain("delete old.sqlite");
    expect(await answers("new.sqlite")).not.toContain(SECRET);
    expect(await outlive("verify", "--database", "new.sqlite")).toContain("1 Job");
    expect(await outlive("backup", "newer.sqlite", "--database", "new.sqlite", "--without-messages")).toContain(
      "0 of them had",
    );
    expect(readdirSync(scratch.path).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  it("keeps the position of the watch, and no message that was set aside", async () => {
    const old = openEmbedded(join(scratch.path, "old.sqlite"));
    for (const kind of ["position", "setAside"] as const) {
      await old.meta.write(kind, "key", { value: `{"of":"${kind}"}`, expected: 0 });
    }
    old.close();
    await outlive("backup", "new.sqlite", "--database", "old.sqlite", "--without-messages");
    const copy = openEmbedded(join(scratch.path, "new.sqlite"));
    const kinds = ["position", "setAside"] as const;
    const values = await Promise.all(kinds.map(async (kind) => (await copy.meta.read(kind, "key"))?.value));
    copy.close();
    expect(values).toEqual(['{"of":"position"}', undefined]);
  });

  it("does not replace a file", async () => {
    const args = ["backup", "old.sqlite", "--database", "old.sqlite", "--without-messages"];
    const { status, stderr } = await runOutlive(args, { cwd: scratch.path });
    expect([status, stderr]).toEqual([2, expect.stringContaining("old.sqlite exists")]);
  });
});

describe("a database with a record of a kind that no longer exists", { timeout: 120_000 }, () => {
  const LEFT = `INSERT INTO meta (kind, key, version, value) VALUES ('cells', 'registry', 1, '{"cells":[]}')`;

  it("answers, is verified, replayed, checked and backed up as before", async () => {
    const before = await answers("old.sqlite");
    const file = new DatabaseSync(join(scratch.path, "old.sqlite"));
    file.exec(LEFT);
    file.close();
    expect(await answers("old.sqlite")).toBe(before);
    for (const command of ["verify", "replay", "doctor", "clusters"]) {
      await outlive(command, "--database", "old.sqlite");
    }
    await outlive("backup", "copy.sqlite", "--database", "old.sqlite");
    await outlive("backup", "new.sqlite", "--database", "old.sqlite", "--without-messages");
    expect(await answers("copy.sqlite")).toBe(before);
    expect(await outlive("verify", "--database", "new.sqlite")).toContain("1 Job");
  });
});
