import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { events, eventsIn, lines, pretty, problemsIn, read } from "../../support/recordings/example-recording.ts";

const notJson = "The line is not JSON: a watch event starts with `{`.";
const badObject = "The object that begins here is not JSON.";
const cut = "The object that begins here is truncated.";
const cutText = "The object that begins here is truncated within a string.";
const tooDeep = "The object that begins here is nested more than 128 levels deep and was skipped.";
const cutGzip = "The gzip data is truncated or damaged. Everything before this line was read.";

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
    ["nested too deeply", `${'{"a":'.repeat(129)}"${"x".repeat(16_384)}"${"}".repeat(129)}`, tooDeep],
    ["nested deeply in an array", `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, tooDeep],
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

  it("is not one that is nested 128 levels deep", async () => {
    const text = `${'{"a":'.repeat(128)}"${"x".repeat(16_384)}"${"}".repeat(128)}`;
    expect(await eventsIn(text)).toEqual([JSON.parse(text)]);
  });

  it("may contain an event before the unreadable part", async () => {
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

  it("is reported once, however long the damage continues", async () => {
    const broken = JSON.stringify(two, undefined, 4).replace('"metadata"', '"metadata');
    expect((await problemsIn([first, broken, third].join("\n"))).length).toBe(1);
    expect((await eventsIn([first, broken, third].join("\n"))).slice(-1)).toEqual([three]);
  });

  it("is the last one where the recording ends in the middle of it", async () => {
    expect(await problemsIn([first, second?.slice(0, -20)].join("\n"))).toHaveLength(1);
  });

  it("is reported with advice if it is UTF-16", async () => {
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
  ])("is reported and skipped: %s", async (_, text) => {
    expect(await read(`{"kind":"A"}\n${text}\n{"kind":"B"}`, undefined, options)).toEqual([
      { line: 1, event: { kind: "A" } },
      { line: 2, problem: "The object that begins here is larger than 2000 bytes and was skipped." },
      { line: text === large ? 3 : 8, event: { kind: "B" } },
    ]);
  });

  it("is skipped as an item, too", async () => {
    const text = `{"items":[{"kind":"A"},${large},{"kind":"B"}]}`;
    expect(await eventsIn(text, undefined, options)).toEqual([
      { kind: "A" },
      { line: 1, problem: "The object that begins here is larger than 2000 bytes and was skipped." },
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

describe("gzip that is truncated or damaged", () => {
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
  ])("yields the events before the end where %s", async (_, damaged) => {
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
