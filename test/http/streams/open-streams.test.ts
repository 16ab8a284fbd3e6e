import { afterEach, describe, expect, it, vi } from "vitest";
import { OpenStreams } from "../../../src/http/streams/open-streams.ts";

afterEach(() => vi.useRealTimers());

describe("the open streams of a server", () => {
  it("are limited for each reader", () => {
    const streams = new OpenStreams();
    const open = (reader: string): number =>
      Array.from({ length: 300 }, () => streams.open(reader)).filter((stream) => stream !== undefined).length;
    expect(open("a")).toBe(200);
    expect(open("b")).toBe(200);
    streams.endAll();
    expect(streams.size).toBe(0);
    expect(open("a")).toBe(200);
    streams.endAll();
  });

  it("are limited in total", () => {
    const streams = new OpenStreams({ total: 3 });
    const opened = ["a", "b", "c", "d"].map((reader) => streams.open(reader));
    expect(opened.map((stream) => stream !== undefined)).toEqual([true, true, true, false]);
    streams.endAll();
  });

  it("end after an hour, when access must be checked again", () => {
    vi.useFakeTimers();
    const streams = new OpenStreams();
    const stream = streams.open("a");
    vi.advanceTimersByTime(3_599_999);
    expect(stream?.ended.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(stream?.ended.aborted).toBe(true);
    expect(streams.size).toBe(0);
  });
});
