import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventStream } from "../../../src/http/streams/event-stream.ts";

/** One text of the size that may wait for a client. */
const FULL = "x".repeat(256 * 1024);

describe("a stream whose client reads", () => {
  it("accepts any amount from a writer that waits for room", async () => {
    const stream = new EventStream();
    const written = (async () => {
      for (let text = 0; text < 20; text += 1) if (!(await stream.room()) || !stream.send(FULL)) return "cut off";
      stream.end();
      return "written";
    })();
    let bytes = 0;
    for await (const chunk of stream.body) bytes += chunk.byteLength;
    expect(await written).toBe("written");
    expect(bytes).toBe(20 * FULL.length);
  });
});

describe("a stream whose client does not read", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is cut off by a writer who does not wait", () => {
    const stream = new EventStream();
    expect(stream.send(FULL)).toBe(true);
    expect(stream.send("y")).toBe(false);
    expect(stream.ended.aborted).toBe(true);
  });

  it("has no room, and ends after a minute", async () => {
    const stream = new EventStream();
    stream.send(FULL);
    const room = stream.room();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(stream.ended.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await room).toBe(false);
    expect(stream.ended.aborted).toBe(true);
  });

  it("has no room once the client is gone", async () => {
    const stream = new EventStream();
    stream.send(FULL);
    const room = stream.room();
    await stream.body.cancel();
    expect(await room).toBe(false);
  });
});
