import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import { collect } from "../../support/running/collect.ts";
import {
  events,
  eventsIn,
  example,
  lines,
  linesOf,
  objects,
  pretty,
  read,
  slimPods,
} from "../../support/recordings/example-recording.ts";
import { sharedRecording, skipWithoutShared } from "../../support/recordings/real-recordings.ts";

describe("a recording", () => {
  it.each([
    ["one event a line", lines.join("\n")],
    ["one event a line, and a line feed at the end", `${lines.join("\n")}\n`],
    ["lines that end in CRLF", lines.join("\r\n")],
    ["a byte order mark and blank lines", `\ufeff\n \n${lines.join("\n\n\t\n")}\n\n`],
    [
      "objects over many lines, as kubectl prints them",
      events.map((event) => JSON.stringify(event, undefined, 4)).join("\n"),
    ],
    [
      "the same with CRLF",
      events
        .map((event) => JSON.stringify(event, undefined, 4))
        .join("\n")
        .replaceAll("\n", "\r\n"),
    ],
    ["objects without anything between them", lines.join("")],
    ["an array", JSON.stringify(events)],
    ["an array over many lines", `[\n${lines.join(",\n")}\n]\n`],
    [
      "objects one and many lines long, mixed",
      lines.map((line, index) => (index % 3 === 0 ? JSON.stringify(JSON.parse(line), undefined, 2) : line)).join("\n"),
    ],
  ])("gives the same events from %s", async (_, text) => {
    expect(await eventsIn(text)).toEqual(events);
  });

  it("names the line that each event begins on", async () => {
    expect(await linesOf(lines.join("\n\n"))).toEqual(lines.map((_, index) => 2 * index + 1));
    expect(await linesOf('\n{\n "kind": "Pod"\n}\n{\n}\n')).toEqual([2, 5]);
  });

  it("may be one bare object", async () => {
    expect(await eventsIn(JSON.stringify(objects[0], undefined, 2))).toEqual([objects[0]]);
  });

  it.each(["", "\n", "\ufeff", " \r\n\n"])("may be empty: %j", async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it.each([
    ["gzip", gzipSync(example)],
    [
      "gzip of several members",
      Buffer.concat(
        lines.map((line) => gzipSync(`${line}\n`)).concat(gzipSync(example.split("\n").slice(20).join("\n"))),
      ),
    ],
  ])("is decompressed where it is %s", async (_, bytes) => {
    expect(await eventsIn(bytes)).toEqual(await eventsIn(example));
  });
});

describe("the chunks of a recording", () => {
  const firstPretty = events.slice(0, 4).map(pretty);
  const podList = JSON.stringify({ items: slimPods.slice(0, 3), kind: "PodList", apiVersion: "v1" }, undefined, 2);
  const mixture = Buffer.from(
    [
      "\ufeff",
      ...lines.slice(0, 3),
      "garbage",
      ...firstPretty,
      podList,
      lines[4]?.slice(0, 99),
      "",
      lines[5],
      '{"a":"\u00e9\u{1f680}"}\r',
      firstPretty[0]?.slice(0, 999),
    ].join("\n"),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 8 });

  it.each([
    ["as it is", mixture],
    ["gzipped", gzipSync(mixture)],
    ["gzipped and cut", gzipSync(mixture).subarray(0, -30)],
  ])("do not matter: %s", async (_, bytes) => {
    const whole = await read(bytes, undefined, { maxObjectBytes: 3000 });
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        expect(await read(bytes, given, { maxObjectBytes: 3000 })).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it("may be a byte each", async () => {
    expect(await read(mixture, [1])).toEqual(await read(mixture));
  });
});

async function* failingAfter(line: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${line}\n`);
  throw new Error("The disk is gone.");
}

describe("bytes of any kind", () => {
  const bracket = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ":",
    ",",
    "\n",
    '{"items":[',
    '"kind":"PodList"',
    '{"kind":"Pod"}',
    "x",
    " ",
  );

  it("are read to the end, without an error", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.array(bracket, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(""))),
        ),
        async (bytes) => {
          const whole = await read(bytes);
          expect(await read(bytes, [1])).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("pass errors of their source on", async () => {
    await expect(collect(readRecording(failingAfter(lines[0] ?? "")))).rejects.toThrow("The disk is gone.");
  });
});

const recordings = ["deadline", "phantom-running", "kubelet-restart-old", "suspend-resume", "failure-policy"].map(
  (name) => `${name}.ndjson`,
);

describe.skipIf(skipWithoutShared(recordings))("recordings of real clusters", () => {
  it.each(recordings)("are read line by line, and nothing is rejected: %s", async (file) => {
    const bytes = readFileSync(sharedRecording(file));
    const given = await read(bytes, [65_536]);
    expect(given.filter((recorded) => "problem" in recorded)).toEqual([]);
    expect(given).toHaveLength(bytes.toString().trim().split("\n").length);
  });
});
