import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ReadingTally, recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import type { Fact, GapRecorded } from "../../../src/job/model/fact.ts";
import { formatInstant } from "../../../src/job/model/instant.ts";

const created = ["2026-01-01T00:00:10Z", "2026-01-01T00:00:20Z", "2026-01-01T00:00:30Z"];

/** One Job's event for each instant. */
const [first = "", second = "", third = ""] = created.map((creationTimestamp, at) => {
  const metadata = { name: `job-${at}`, namespace: "batch", uid: `uid-${at}`, resourceVersion: `${at + 1}` };
  const object = { kind: "Job", apiVersion: "batch/v1", metadata: { ...metadata, creationTimestamp } };
  return JSON.stringify({ type: "ADDED", object: { ...object, spec: {}, status: {} } });
});

async function gapsOf(...files: readonly (string | Buffer)[]): Promise<{ gaps: readonly GapRecorded[]; told: number }> {
  const folder = mkdtempSync(join(tmpdir(), "outlive-gaps-"));
  const names = files.map((content, at) => {
    const name = join(folder, `${at}.ndjson`);
    writeFileSync(name, content);
    return name;
  });
  const tally: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const facts: Fact[] = [];
  for await (const some of recordedFacts(names, tally)) facts.push(...some);
  rmSync(folder, { recursive: true });
  return { gaps: facts.filter((fact) => fact.kind === "GapRecorded"), told: tally.gaps ?? 0 };
}

async function spansOf(...files: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const { gaps, told } = await gapsOf(...files);
  expect(told).toBe(gaps.length);
  return textsOf(gaps);
}

function textsOf(gaps: readonly GapRecorded[]): readonly string[] {
  return gaps.map(({ from, to }) => `${formatInstant(from).slice(17, 19)}-${formatInstant(to).slice(17, 19)}`);
}

const error = (object: object): string => JSON.stringify({ type: "ERROR", object });

const expired = error({ kind: "Status", code: 410, reason: "Expired" });
const changed = second.replace("ADDED", "MODIFIED");

describe("the gaps of a recording", () => {
  it.each([
    ["none where every line is an event", [first, second, third], []],
    ["around a line that is not JSON", [first, "garbage", second], ["10-20"]],
    ["around an object that is truncated", [first, second.slice(0, 40), third], ["10-30"]],
    ["one for neighbouring lines", [first, "garbage", "more garbage", second], ["10-20"]],
    ["one for each place", [first, "garbage", second, "garbage", third], ["10-20", "20-30"]],
    ["up to the end of the recordings", [first, second, third.slice(0, 40)], ["20-20"]],
    ["from the first event on", ["garbage", second], ["20-20"]],
    ["after an expired watch without a new list", [first, expired, changed], ["10-20"]],
    ["after an expired watch with a damaged list", [first, expired, "garbage", second], ["10-20"]],
    ["around an event that is no valid object", [first, second.replace(',"uid":"uid-1"', ""), third], ["10-30"]],
    ["after an error without a code", [first, error({}), second], ["10-20"]],
  ])("are %s", async (_, lines, spans) => {
    expect(await spansOf(lines.join("\n"))).toEqual(spans);
  });

  it("reach from the last readable event of truncated gzip data to the end of all recordings", async () => {
    const packed = gzipSync([first, second].join("\n"));
    expect(await spansOf(packed.subarray(0, packed.length - 4), third)).toEqual(["20-30"]);
  });

  it.each([
    ["its end", [first, expired, third, second, changed], ["10-30"]],
    ["its only event", [first, expired, second, changed, third], ["10-20"]],
    ["the end of the recording", [first, expired, second, third], ["10-30"]],
  ])(
    "reach to the end of the list after an expired watch, and are nothing that the recording lacks: %s",
    async (...of) => {
      const [, lines, spans] = of;
      const { gaps, told } = await gapsOf(lines.join("\n"));
      expect(textsOf(gaps)).toEqual(spans);
      expect(told).toBe(0);
    },
  );

  it("are counted even if no event says when they were", async () => {
    expect(await gapsOf(expired)).toEqual({ gaps: [], told: 1 });
  });

  it("have the same ids when they are read again", async () => {
    const lines = [first, "garbage", second].join("\n");
    expect((await gapsOf(lines)).gaps).toEqual((await gapsOf(lines)).gaps);
  });
});
