import { describe, expect, it } from "vitest";
import type { JobChange } from "../../../src/explain/answer-document.ts";
import { ChangeAnnouncer } from "../../../src/projection/changes/change-announcer.ts";
import { changeNamed } from "../../support/story/announced.ts";

describe("changes of Jobs that are projected at the same time", () => {
  it("share a write, which ends before any of them continues", async () => {
    const writes: (readonly JobChange[])[] = [];
    const events: string[] = [];
    const announcer = new ChangeAnnouncer(async (changes) => {
      writes.push(changes);
      await new Promise(setImmediate);
      events.push("stored");
    });
    const work = (name: string) =>
      announcer.during(async () => {
        await new Promise(setImmediate);
        await announcer.announce(changeNamed(name));
        events.push(name);
      });
    await Promise.all([work("a"), work("b"), announcer.during(async () => {}), work("c")]);
    expect(writes.map((changes) => changes.map(({ job }) => job.name))).toEqual([["a", "b", "c"]]);
    expect(events).toEqual(["stored", "a", "b", "c"]);
  });

  it("are not kept waiting by work that ends without a change", async () => {
    const announcer = new ChangeAnnouncer(async () => {});
    const ending = Promise.withResolvers<void>();
    const quiet = announcer.during(() => ending.promise);
    const announced = announcer.during(() => announcer.announce(changeNamed("a")));
    ending.resolve();
    await expect(Promise.all([quiet, announced])).resolves.toHaveLength(2);
  });

  it("fail where they cannot be stored, and later ones are tried again", async () => {
    let isDown = true;
    const announcer = new ChangeAnnouncer(async () => {
      if (isDown) throw new Error("down");
    });
    const work = () => announcer.during(() => announcer.announce(changeNamed("a")));
    await expect(work()).rejects.toThrow("down");
    isDown = false;
    await expect(work()).resolves.toBeUndefined();
  });
});
