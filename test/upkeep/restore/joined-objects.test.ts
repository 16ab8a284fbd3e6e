import { beforeEach, describe, expect, it } from "vitest";
import { joinedObjects } from "../../../src/upkeep/restore/joined-objects.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

let from: MemoryObjects;
let to: MemoryObjects;
beforeEach(() => {
  from = new MemoryObjects(new Map(["b", "c", "e"].map((key) => [`jobs/${key}`, Buffer.from(`from ${key}`)])));
  to = new MemoryObjects(new Map(["a", "c", "d", "f"].map((key) => [`jobs/${key}`, Buffer.from(`to ${key}!`)])));
});

const read = async (key: string) => {
  const bytes = await joinedObjects({ from, to }).read(key);
  return bytes && Buffer.from(bytes).toString();
};

describe("two archives that are joined", () => {
  it("have the objects of both, those of the second first, in order", async () => {
    const listed: string[] = [];
    for await (const { key, bytes } of joinedObjects({ from, to }).list("jobs/")) listed.push(`${key} ${bytes}`);
    expect(listed).toEqual(["jobs/a 5", "jobs/b 6", "jobs/c 5", "jobs/d 5", "jobs/e 6", "jobs/f 5"]);
    expect(await Promise.all(["jobs/a", "jobs/b", "jobs/c", "jobs/x"].map(read))).toEqual([
      "to a!",
      "from b",
      "to c!",
      undefined,
    ]);
  });

  it("are written and removed in the second only", async () => {
    const before = new Map(from.objects);
    const joined = joinedObjects({ from, to });
    expect(await joined.putIfAbsent("jobs/b", Buffer.from("new"))).toBe("stored");
    expect(await read("jobs/b")).toBe("new");
    await joined.remove("jobs/c");
    expect(await read("jobs/c")).toBe("from c");
    expect(from.objects).toEqual(before);
  });

  it("are not asked to remove what the second does not have: a restore may have no permission", async () => {
    to.writesLeft = 0;
    await joinedObjects({ from, to }).remove("jobs/b");
    expect(to.keys).toHaveLength(4);
  });
});
