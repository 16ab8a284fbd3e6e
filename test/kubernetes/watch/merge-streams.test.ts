import { describe, expect, it } from "vitest";
import { mergeStreams } from "../../../src/kubernetes/watch/merge-streams.ts";

async function* counting(to: number, told: string[] = [], name = "stream"): AsyncGenerator<string> {
  try {
    for (let number = 1; number <= to; number += 1) {
      told.push(`${name} ${number}`);
      yield `${name} ${number}`;
    }
  } finally {
    told.push(`${name} ends`);
  }
}

async function* failing(message: string): AsyncGenerator<string> {
  for (const wrong of [message]) throw new Error(wrong);
  yield message;
}

describe("merged streams", () => {
  it("yield everything, each in its own order, and end when all have", async () => {
    const all: string[] = [];
    const streams = [counting(3, [], "a"), counting(2, [], "b")];
    for await (const item of mergeStreams(streams, () => undefined)) all.push(item);
    expect(all.filter((item) => item.startsWith("a"))).toEqual(["a 1", "a 2", "a 3"]);
    expect(all.filter((item) => item.startsWith("b"))).toEqual(["b 1", "b 2"]);
    expect(all).toHaveLength(5);
  });

  it("are read at most one item ahead", async () => {
    const told: string[] = [];
    const merged = mergeStreams([counting(100, told)], () => undefined);
    await merged.next();
    await merged.next();
    expect(told).toEqual(["stream 1", "stream 2"]);
    await merged.return(undefined);
  });

  it("are all stopped when the reader stops", async () => {
    const told: string[] = [];
    let stops = 0;
    const stop = () => {
      stops += 1;
    };
    for await (const _ of mergeStreams([counting(9, told, "a"), counting(9, told, "b")], stop)) break;
    expect(told.slice(-2)).toEqual(["a ends", "b ends"]);
    expect(stops).toBe(1);
  });

  it("are all stopped by the error of one, which is passed on", async () => {
    const told: string[] = [];
    const failing = (async function* () {
      yield "first";
      throw new Error("broken");
    })();
    const reading = (async () => {
      for await (const _ of mergeStreams([failing, counting(Infinity, told, "a")], () => undefined));
    })();
    await expect(reading).rejects.toThrow("broken");
    expect(told.at(-1)).toBe("a ends");
  });

  it("pass on the first of several errors", async () => {
    const merged = mergeStreams([failing("first"), failing("second")], () => undefined);
    await expect(merged.next()).rejects.toEqual(new Error("first"));
  });
});
