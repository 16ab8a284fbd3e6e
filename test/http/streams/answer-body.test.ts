import { describe, expect, it } from "vitest";
import { ReaderPlaces } from "../../../src/http/access/reader-places.ts";
import { AnswerBody, SLICE_BYTES } from "../../../src/http/streams/answer-body.ts";
import type { Delivery } from "../../../src/http/streams/delivery.ts";
import { settled } from "../../support/running/manual-clock.ts";

/** An answer with this many parts of one letter each. `failsAt` is the part that cannot be built. */
function openBody({ pieces = 3, failsAt = -1, first = "a", ...given }: Partial<Scene> = {}) {
  const ends: string[] = [];
  const errors: string[] = [];
  const places = new ReaderPlaces({ unreadBytes: 1_000_000, builtAtOnce: 1 }, { onEmpty: () => ends.push("ended") });
  const left = new AbortController();
  let built = 1;
  const nextPiece = async () => {
    built += 1;
    if (built === failsAt) throw new Error("the disk failed");
    return { text: "b", isLast: built === pieces };
  };
  const { stream } = new AnswerBody(Buffer.from(first), pieces === 1 ? undefined : nextPiece, {
    place: places.take(),
    signal: left.signal,
    delivery: given.delivery,
    onError: ({ message }) => errors.push(message),
  });
  return { stream, places, left, ends, errors, built: () => built };
}

interface Scene {
  readonly pieces: number;
  readonly failsAt: number;
  readonly first: string;
  readonly delivery: Delivery;
}

describe("the body of a long answer", () => {
  it("has all pieces in order, and then its place ends once", async () => {
    const { stream, ends } = openBody({ pieces: 4 });
    expect(await new Response(stream).text()).toBe("abbb");
    await settled();
    expect(ends).toEqual(["ended"]);
  });

  it("is not built beyond its first piece while the client reads nothing", async () => {
    const { built, ends, stream } = openBody({ pieces: 1_000 });
    await settled();
    expect(built()).toBe(1);
    expect(ends).toEqual([]);
    await stream.cancel();
  });

  it("is built as far as the client reads", async () => {
    const { stream, built } = openBody({ pieces: 1_000 });
    const reader = stream.getReader();
    for (let read = 1; read <= 5; read += 1) await reader.read();
    await settled();
    expect(built()).toBe(5);
    await reader.cancel();
  });

  it("is not built any more after the client has cancelled, and its place ends once", async () => {
    const { stream, built, ends } = openBody({ pieces: 1_000 });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await reader.read();
    await settled();
    expect(built()).toBe(1);
    expect(ends).toEqual(["ended"]);
  });

  it("is not built any more after the connection has closed, which is no error of the server", async () => {
    const { stream, left, built, ends, errors } = openBody({ pieces: 1_000 });
    const reader = stream.getReader();
    await reader.read();
    left.abort();
    await expect(reader.read()).rejects.toThrow("could not complete");
    await settled();
    expect([built(), ends, errors]).toEqual([1, ["ended"], []]);
  });

  it("fails for the client if a piece cannot be built, and its place ends once", async () => {
    const { stream, ends, errors } = openBody({ failsAt: 2 });
    await expect(new Response(stream).text()).rejects.toThrow("could not complete the answer");
    await settled();
    expect([ends, errors]).toEqual([["ended"], ["the disk failed"]]);
  });

  it("closes the connection if a piece cannot be built", async () => {
    const calls: string[] = [];
    const delivery = {
      closed: new Promise<void>(() => undefined),
      unsentBytes: () => 0,
      abandon: () => calls.push("abandoned"),
    };
    const { stream } = openBody({ failsAt: 2, delivery });
    const reader = stream.getReader();
    await reader.read();
    void reader.read();
    await settled();
    expect(calls).toEqual(["abandoned"]);
  });

  it("is sent in slices, and occupies its reader's room until the client has taken it", async () => {
    const long = "a".repeat(SLICE_BYTES + 1);
    const { stream, places } = openBody({ pieces: 1, first: long.repeat(15) });
    const [reader, other] = [stream.getReader(), places.take()];
    other.setUnread(100_000);
    expect(places.hasRoom).toBe(false);
    const { value } = await reader.read();
    expect(value).toHaveLength(SLICE_BYTES);
    expect(places.hasRoom).toBe(false);
    await reader.cancel();
    await settled();
    expect(places.hasRoom).toBe(true);
  });
});
