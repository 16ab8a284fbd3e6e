import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/http/mcp/tools/tools.ts";
import { PLANTED, PLANTED_NAME, plantedRecording } from "../../support/mcp/planted-recording.ts";
import { type Called, type RecordedTools, toolsOver } from "../../support/mcp/recorded-tools.ts";

const FILES = ["jobset-restarts", "kueue-quota", "ttl", "deadline"];
/** The marks of planted texts, in any encoding that an answer may use. */
const ASKS = /ignore.{0,3}previous|delete.{0,3}everything/i;

let folder: string;
let tools: RecordedTools;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-planted-"));
  const clusters: Record<string, readonly string[]> = {};
  for (const name of FILES) {
    const file = join(folder, `${name}.ndjson`);
    writeFileSync(file, plantedRecording(new URL(`../../../examples/${name}.ndjson.gz`, import.meta.url)));
    clusters[name] = [file];
  }
  tools = await toolsOver(clusters);
});

afterAll(() => {
  tools.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The paths of planted texts: those below a mark, and the others. */
function plantedPaths(value: unknown, path = ""): readonly string[] {
  if (typeof value === "string") return ASKS.test(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const inKey = ASKS.test(name) ? [path] : [];
    return [...inKey, ...plantedPaths(one, `${path}.${name}`)];
  });
}

function unmarkedPaths({ answer }: Called): readonly string[] {
  return plantedPaths(answer).filter((path) => !path.split(".").includes("untrusted"));
}

interface Listed {
  readonly untrusted?: Readonly<Record<string, string>>;
}

/** Every Job and run of the recordings, by what its marked fields say. */
async function targets(): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { answer } = await tools.call("find_runs", { name: "*", ...(cursor !== undefined && { cursor }) });
    for (const { untrusted = {} } of answer["runs"] as readonly Listed[]) {
      const { cluster, namespace, kind, name } = untrusted;
      found.push(`${cluster}/${namespace}/${kind}/${name}`);
    }
    ({ cursor } = (answer["more"] ?? {}) as { readonly cursor?: string });
  } while (cursor !== undefined);
  return found;
}

describe("an instruction in every text of a recording", () => {
  it("reaches marked fields only, in every answer about every Job and run", async () => {
    const all = await targets();
    expect(all.length).toBeGreaterThan(20);
    const marked = new Map<string, number>();
    for (const target of all) {
      for (const { name } of TOOLS) {
        if (name === "find_runs" || name === "node_report") continue;
        const called = await tools.call(name, { target });
        expect([name, target, unmarkedPaths(called)]).toEqual([name, target, []]);
        marked.set(name, (marked.get(name) ?? 0) + plantedPaths(called.answer).length);
      }
    }
    // The answers do have the texts, so that the test would notice.
    expect([...marked].filter(([, count]) => count === 0)).toEqual([]);
  });

  it.each([
    ["find_runs", { name: "*" }],
    ["find_runs", { attention: true }],
    ["node_report", { since: "4000d" }],
    ["completeness", { since: "4000d" }],
    ["get_run", { target: `resnet${PLANTED_NAME} ${PLANTED}` }],
    ["get_run", { target: "resne" }],
    ["why", { target: "job/ngtly", namespace: "ttl", cluster: "ttl" }],
    ["why", { target: `ttl/ttl${PLANTED_NAME}/job/ngtly` }],
  ])("reaches no unmarked field of %s with %j", async (name, given) => {
    const called = await tools.call(name, given);
    expect(unmarkedPaths(called)).toEqual([]);
  });
});
