import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOutlive, scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
const outlive = (...args: readonly string[]) => runOutlive(args, { cwd: scratch.path });
const RED = "\u001b[31m";
const RED_IN_ONE = "\u009b31m";
const ARABIC_MARK = "\u061c";

/** A Job whose labels and message try to colour the terminal and to turn its direction of writing around. */
const event = {
  type: "ADDED",
  object: {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "hostile",
      namespace: "default",
      uid: "hostile-1",
      resourceVersion: "7",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { [`key${RED_IN_ONE}`]: `value${RED}${ARABIC_MARK}` },
    },
    spec: {},
    status: {
      failed: 1,
      conditions: [{ type: "Failed", status: "True", reason: "Red", message: `${RED}red\u202e${RED_IN_ONE}` }],
    },
  },
};
const fileName = `${RED}recording.ndjson`;

beforeAll(async () => {
  writeFileSync(join(scratch.path, fileName), `not JSON\n${JSON.stringify(event)}\n`);
  const { status, stderr } = await outlive("import", fileName);
  expect(status).toBe(3);
  expect(stderr).toContain("1 line could not be read");
  expect(stderr).not.toContain("\u001b");
});
afterAll(() => scratch.remove());

describe("text of a cluster that contains terminal control sequences", () => {
  it.each([
    "jobs -o wide",
    "jobs -o json",
    "jobs -o yaml",
    "get hostile -o yaml",
    "history hostile -o yaml",
    "why hostile",
    "why hostile -o yaml",
  ])("is printed without it by outlive %s", async (line) => {
    const { status, stdout } = await outlive(...line.split(" "));
    expect(status).toBe(0);
    expect(stdout).toMatch(/hostile/);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u202a-\u202e]/);
  });
});

describe.skipIf(!existsSync("/dev/full"))("an answer that cannot be written", () => {
  it("ends with a sentence", () => {
    const full = openSync("/dev/full", "w");
    const launcher = fileURLToPath(new URL("../../cli/outlive.js", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [launcher, "jobs", "-o", "name"], {
      cwd: scratch.path,
      env: {},
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: Cannot write to standard output: ENOSPC/);
  });
});
