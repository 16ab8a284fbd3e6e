import { describe, expect, it } from "vitest";
import { type PlaceLimits, ReaderPlaces } from "../../../src/http/access/reader-places.ts";
import { settled } from "../../support/running/manual-clock.ts";

function openPlaces(limits: Partial<PlaceLimits> = {}): ReaderPlaces {
  return new ReaderPlaces({ unreadBytes: 10, builtAtOnce: 2, ...limits });
}

/** Work that ends when the test says so. */
function slowWork(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = () => {
    started.push(name);
    return promise;
  };
  return { work, finish: () => resolve(name) };
}

describe("the place of an answer", () => {
  it("ends with the last of its parts, whatever their outcome", async () => {
    const places = openPlaces();
    const place = places.take();
    const [built, delivered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const parts = [place.keepFor(built.promise), place.keepFor(delivered.promise)];
    built.reject(new Error("no"));
    await expect(parts[0]).rejects.toThrow("no");
    expect(places.size).toBe(1);
    delivered.resolve();
    await parts[1];
    expect(places.size).toBe(0);
  });

  it("waits until fewer answers of the reader are built", async () => {
    const [places, started] = [openPlaces(), new Array<string>()];
    const works = ["a", "b", "c"].map((name) => slowWork(started, name));
    const built = works.map(({ work }) => places.take().build(work));
    await settled();
    expect(started).toEqual(["a", "b"]);
    works[0]?.finish();
    await settled();
    expect(started).toEqual(["a", "b", "c"]);
    for (const { finish } of works) finish();
    expect(await Promise.all(built)).toEqual(["a", "b", "c"]);
  });

  it("lets others build while it waits for a change", async () => {
    const [places, started] = [openPlaces({ builtAtOnce: 1 }), new Array<string>()];
    const [change, other] = [Promise.withResolvers<void>(), slowWork(started, "other")];
    const place = places.take();
    const waiting = place.build(() => place.aside(() => change.promise));
    const built = places.take().build(other.work);
    await settled();
    expect(started).toEqual(["other"]);
    change.resolve();
    other.finish();
    expect(await Promise.all([waiting, built])).toEqual([undefined, "other"]);
  });

  it("builds nothing while the reader leaves too many bytes unread", async () => {
    const [places, started] = [openPlaces(), new Array<string>()];
    const stalled = places.take();
    stalled.setUnread(10);
    const next = slowWork(started, "next");
    void places.take().build(next.work);
    await settled();
    expect(started).toEqual([]);
    stalled.setUnread(9);
    await settled();
    expect(started).toEqual(["next"]);
  });

  it("leaves no unread bytes behind when it ends", async () => {
    const places = openPlaces();
    const place = places.take();
    place.setUnread(100);
    expect(places.hasRoom).toBe(false);
    await place.keepFor(Promise.resolve());
    expect(places.hasRoom).toBe(true);
  });
});
