import { describe, expect, it } from "vitest";
import { objectsOnDemand } from "../../../functions/lambda/objects-on-demand.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

describe("objects on demand", () => {
  it("are opened once, with the first request", async () => {
    const opened: MemoryObjects[] = [];
    const objects = objectsOnDemand("s3://bucket", async () => {
      const store = new MemoryObjects();
      opened.push(store);
      return store;
    });
    expect([objects.name, opened.length]).toEqual(["s3://bucket", 0]);
    expect(await objects.putIfAbsent("a/b", Uint8Array.of(1, 2))).toBe("stored");
    expect(await objects.read("a/b", { start: 1, end: 2 })).toEqual(Uint8Array.of(2));
    expect(await collect(objects.list("a/"))).toEqual([{ key: "a/b", bytes: 2 }]);
    await objects.remove("a/b");
    expect(await objects.read("a/b")).toBeUndefined();
    expect(opened).toHaveLength(1);
  });
});
