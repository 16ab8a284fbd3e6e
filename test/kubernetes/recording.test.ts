import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRecording } from "../../src/kubernetes/recording.ts";
import type { Recorded } from "../../src/kubernetes/recorded.ts";
import { inChunks } from "../support/byte-chunks.ts";
import { collect } from "../support/collect.ts";
import { sharedRecording, skipWithoutShared } from "../support/real-recordings.ts";

const example = gunzipSync(readFileSync(new URL("../../examples/ttl.ndjson.gz", import.meta.url))).toString();
const lines: readonly string[] = example.trim().split("\n").slice(0, 20);
const events: readonly unknown[] = lines.map((line) => JSON.parse(line) as unknown);
const objects = lines.map((line) => (JSON.parse(line) as { object: { kind: string; apiVersion: string } }).object);
const pods = objects.filter(({ kind }) => kind === "Pod");
/** As items of typed lists are: without what the list says once for all. */
const slimPods = pods.map((pod) =>
  Object.fromEntries(Object.entries(pod).filter(([field]) => field !== "kind" && field !== "apiVersion")),
);

async function read(given: string | Uint8Array, sizes?: readonly number[], options = {}): Promise<readonly Recorded[]> {
  const bytes = typeof given === "string" ? Buffer.from(given) : given;
  return collect(readRecording(inChunks(bytes, sizes), options));
}
async function eventsIn(
  given: string | Uint8Array,
  sizes?: readonly number[],
  options = {},
): Promise<readonly unknown[]> {
  return (await read(given, sizes, options)).map((recorded) => ("event" in recorded ? recorded.event : recorded));
}
async function problemsIn(given: string | Uint8Array, options = {}): Promise<readonly (readonly [number, string])[]> {
  return (await read(given, undefined, options)).flatMap((recorded) =>
    "problem" in recorded ? [[recorded.line, recorded.problem] as const] : [],
  );
}
async function linesOf(given: string | Uint8Array): Promise<readonly number[]> {
  return (await read(given)).flatMap((recorded) => ("event" in recorded ? [recorded.line] : []));
}

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 4);

const notJson = "The line is not JSON: a watch event begins with `{`.";
const badObject = "The object that begins here is not JSON.";
const cut = "The object that begins here is cut.";
const cutText = "The object that begins here is cut in the middle of a text.";
const cutGzip = "The gzip data is cut or damaged. What came before this line was read.";

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

describe("a list in a recording", () => {
  const list = { apiVersion: "v1", items: objects, kind: "List", metadata: { resourceVersion: "" } };

  it.each([undefined, 2, 4])("gives its items one by one, indented by %j", async (indent) => {
    expect(await eventsIn(JSON.stringify(list, undefined, indent))).toEqual(objects);
  });

  it("gives its items where they stand on lines of their own", async () => {
    const text = `{"kind":"List","apiVersion":"v1","items":[\n${objects.map((object) => JSON.stringify(object)).join(",\n")}\n]}`;
    expect(await eventsIn(text)).toEqual(objects);
    expect(await linesOf(text)).toEqual(objects.map((_, index) => index + 2));
  });

  it.each([
    ["first", { kind: "PodList", apiVersion: "v1", metadata: {}, items: slimPods }],
    ["last", { items: slimPods, metadata: {}, apiVersion: "v1", kind: "PodList" }],
  ])("fills in the kind of its items, whether it names it %s", async (_, podList) => {
    expect(await eventsIn(JSON.stringify(podList))).toEqual(pods);
    expect(await eventsIn(JSON.stringify(podList, undefined, 2))).toEqual(pods);
  });

  it("of audit events gives audit events", async () => {
    const eventList = {
      kind: "EventList",
      apiVersion: "audit.k8s.io/v1",
      metadata: {},
      items: [{ auditID: "a" }, { auditID: "b" }],
    };
    expect(await eventsIn(JSON.stringify(eventList))).toEqual([
      { kind: "Event", apiVersion: "audit.k8s.io/v1", auditID: "a" },
      { kind: "Event", apiVersion: "audit.k8s.io/v1", auditID: "b" },
    ]);
  });

  it("is followed by whatever follows it", async () => {
    const empty = JSON.stringify({ kind: "List", items: [] }, undefined, 2);
    expect(await eventsIn([empty, JSON.stringify(list, undefined, 2), lines[0], empty, lines[1]].join("\n"))).toEqual([
      ...objects,
      events[0],
      events[1],
    ]);
  });

  it("gives what came before it was cut", async () => {
    const text = JSON.stringify(list, undefined, 2);
    const given = await read(text.slice(0, -text.length / 3));
    expect(given.at(-1)).toMatchObject({ problem: expect.stringMatching(/cut/) as string });
    expect(given.slice(0, -1).map((recorded) => "event" in recorded && recorded.event)).toEqual(
      objects.slice(0, given.length - 1),
    );
  });

  it("loses only the item that is broken", async () => {
    const text = JSON.stringify(list, undefined, 2).split("\n");
    const broken = text.findIndex((line, index) => index > 40 && line.includes('"uid"'));
    text[broken] = (text[broken] ?? "").slice(0, -4);
    const given = await read(text.join("\n"));
    expect(given.filter((recorded) => "problem" in recorded)).toHaveLength(1);
    expect(given).toHaveLength(objects.length);
  });

  it("may be longer than anything that is held at once", async () => {
    const options = { maxObjectBytes: 10_000 };
    for (const indent of [undefined, 2]) {
      expect(
        await eventsIn(
          JSON.stringify({ kind: "PodList", apiVersion: "v1", items: slimPods }, undefined, indent),
          undefined,
          options,
        ),
      ).toEqual(pods);
    }
  });
});

describe("a line that cannot be read", () => {
  const [first, second, third] = lines;
  const [one, two, three] = events;

  it.each([
    ["no JSON", "garbage", notJson],
    ["a JSON text", '"text"', notJson],
    ["a number", "17", notJson],
    ["binary", "\u0000\u0001\ufffd", notJson],
    ["YAML", "apiVersion: v1", notJson],
    ["cut in the middle of a text", second?.slice(0, 100) ?? "", cutText],
    ["cut between two fields", second?.slice(0, second.lastIndexOf(",")) ?? "", cut],
    ["cut by one brace", second?.slice(0, -1) ?? "", cut],
    ["more braces than it opened", `${second}}`.replace('"type"', "type"), badObject],
    ["no JSON between its braces", "{type: ADDED}", badObject],
  ])("is reported and does not stop the rest: %s", async (_, line, problem) => {
    const text = [first, line, third].join("\n");
    expect(await problemsIn(text)).toEqual([[2, problem]]);
    expect(
      (await eventsIn(text)).filter(
        (event) =>
          event === one ||
          JSON.stringify(event) === JSON.stringify(one) ||
          JSON.stringify(event) === JSON.stringify(three),
      ),
    ).toHaveLength(2);
  });

  it("may hold an event before what cannot be read", async () => {
    expect(await read(`${first} and more\n${second}`)).toEqual([
      { line: 1, event: one },
      { line: 1, problem: notJson },
      { line: 2, event: two },
    ]);
  });

  it("is reported where an object over many lines is cut by the next one", async () => {
    const half = pretty(two).split("\n").slice(0, 30).join("\n");
    const given = await read([pretty(one), half, pretty(three)].join("\n"));
    expect(given.map((recorded) => ("event" in recorded ? recorded.event : recorded.problem))).toEqual([
      one,
      cut,
      three,
    ]);
  });

  it("is reported once, however long what is broken goes on", async () => {
    const broken = JSON.stringify(two, undefined, 4).replace('"metadata"', '"metadata');
    expect((await problemsIn([first, broken, third].join("\n"))).length).toBe(1);
    expect((await eventsIn([first, broken, third].join("\n"))).slice(-1)).toEqual([three]);
  });

  it("is the last one where the recording ends in the middle of it", async () => {
    expect(await problemsIn([first, second?.slice(0, -20)].join("\n"))).toHaveLength(1);
  });

  it("is what UTF-16 is, and the reason says what to do", async () => {
    const problem = "The file is UTF-16, as the `>` of Windows PowerShell writes it: save it as UTF-8.";
    expect(await read(Buffer.from(`\ufeff${first}\n${second}`, "utf16le"))).toEqual([{ line: 1, problem }]);
  });
});

describe("an object that is too large", () => {
  const large = JSON.stringify({ kind: "Pod", status: { message: "x".repeat(3000) } });
  const options = { maxObjectBytes: 2000 };

  it.each([
    ["on one line", large],
    ["over many lines", JSON.stringify(JSON.parse(large), undefined, 2)],
  ])("is reported and passed over: %s", async (_, text) => {
    expect(await read(`{"kind":"A"}\n${text}\n{"kind":"B"}`, undefined, options)).toEqual([
      { line: 1, event: { kind: "A" } },
      { line: 2, problem: "The object that begins here is larger than 2000 bytes and was passed over." },
      { line: text === large ? 3 : 8, event: { kind: "B" } },
    ]);
  });

  it("is passed over as an item too", async () => {
    const text = `{"items":[{"kind":"A"},${large},{"kind":"B"}]}`;
    expect(await eventsIn(text, undefined, options)).toEqual([
      { kind: "A" },
      { line: 1, problem: "The object that begins here is larger than 2000 bytes and was passed over." },
      { kind: "B" },
    ]);
  });

  it("is not yet one of 10 MB", async () => {
    const message = "x".repeat(10_000_000);
    expect(
      await eventsIn(
        `${JSON.stringify({ kind: "Pod", message })}\n${JSON.stringify({ kind: "Pod", message }, undefined, 2)}`,
        [65_536],
      ),
    ).toEqual([
      { kind: "Pod", message },
      { kind: "Pod", message },
    ]);
  });
});

describe("gzip that is cut or damaged", () => {
  const bytes = gzipSync(lines.join("\n"));

  it.each([11, 100, bytes.length >> 1, bytes.length - 9, bytes.length - 1])(
    "gives what came before byte %i",
    async (length) => {
      const given = await read(bytes.subarray(0, length));
      const problem = given.at(-1);
      expect(problem).toEqual({ line: Math.min(given.length, lines.length), problem: cutGzip });
      expect(given.slice(0, -1)).toEqual(
        events.slice(0, given.length - 1).map((event, index) => ({ line: index + 1, event })),
      );
    },
  );

  it.each([
    ["a byte in the middle is another", Buffer.from(bytes).fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 1)],
    ["something else follows", Buffer.concat([bytes, Buffer.from("something else")])],
  ])("gives what came before where %s", async (_, damaged) => {
    const given = await read(damaged);
    const whole = given.findIndex((recorded) => "problem" in recorded);
    expect(whole).toBeGreaterThan(0);
    expect(given.slice(0, whole)).toEqual(events.slice(0, whole).map((event, index) => ({ line: index + 1, event })));
  });

  it("is reported where the data is no gzip after all", async () => {
    expect(await problemsIn(Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from("no gzip at all")]))).toEqual([
      [1, cutGzip],
    ]);
  });
});

describe("the chunks that a recording comes in", () => {
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
