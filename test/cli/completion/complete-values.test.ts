import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "outlive-completion-"));
const OUTLIVE_DATABASE = join(folder, "outlive.sqlite");

function outlive(args: readonly string[], env: NodeJS.ProcessEnv = { OUTLIVE_DATABASE }) {
  return spawnSync(process.execPath, [pathOf("cli/outlive.js"), ...args], { encoding: "utf8", env });
}

/** Completes as a shell's script does: one value on each line, then a directive. */
function completed(words: readonly string[], env?: NodeJS.ProcessEnv): readonly string[] {
  const { status, stdout, stderr } = outlive(["complete", "--", ...words], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(":"))
    .map((line) => line.split("\t")[0] ?? "");
}

beforeAll(() => {
  const { status } = outlive(["import", "--cluster", "prod", pathOf("examples/deadline.ndjson.gz")]);
  expect(status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("completion in a shell", () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ["jobs", "--state", ""],
      ["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"],
    ],
    [["jobs", "--sort", "na"], ["name"]],
    [["jobs", "-o", "cs"], ["csv"]],
    [["jobs", "--cluster", ""], ["prod"]],
    [["jobs", "-n", ""], ["deadline"]],
    [["get", "-n", "deadline", "report-b"], ["report-backoff-limit"]],
    [["why", "--namespace=deadline", "job/report-b"], ["job/report-backoff-limit"]],
    [["pods", "-n", "elsewhere", ""], []],
  ])("of %j has the values %j", (words, values) => {
    expect(completed(words)).toEqual(values);
  });

  it("is silent without a database", () => {
    expect(completed(["get", ""], { OUTLIVE_DATABASE: join(folder, "absent.sqlite") })).toEqual([]);
  });

  it("ends although a server never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(completed(["jobs", "--cluster", ""], { OUTLIVE_SERVER: `http://127.0.0.1:${port}` })).toEqual([]);
    await new Promise((resolve) => silent.close(resolve));
  });
});
