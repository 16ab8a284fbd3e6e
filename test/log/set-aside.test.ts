import { describe, expect, it } from "vitest";
import { setAside, setAsideKey } from "../../src/log/set-aside.ts";
import { setAsideRecord } from "../../src/ports/records/set-aside-record.ts";
import { listDecoded } from "../../src/ports/records/record-codec.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function stores() {
  const meta = new MemoryMetaStore();
  const objects = new Map<string, Uint8Array>();
  const largeMessages = {
    keep: async (name: string, bytes: Uint8Array) => void objects.set(name, bytes),
    read: async (name: string) => objects.get(name),
  };
  return { meta, objects, largeMessages };
}

async function recordsIn(meta: MemoryMetaStore) {
  return (await collect(listDecoded(meta, setAsideRecord, ""))).map(({ value }) => value);
}

async function denied(): Promise<never> {
  throw new Error("Access denied.");
}

describe("a message that is set aside", () => {
  it.each([
    [200_000, true],
    [200_001, false],
  ])("of %i bytes is in its record: %j", async (size, isInRecord) => {
    const { meta, objects, largeMessages } = stores();
    const message = Buffer.alloc(size, 7);
    await setAside({ meta, largeMessages }, message, { reason: "Invalid.", now: NOON });
    const [record] = await recordsIn(meta);
    expect(record).toMatchObject({ reason: "Invalid.", setAsideAt: NOON, bytes: size });
    const inRecord = record?.message === undefined ? undefined : Buffer.from(record.message, "base64");
    const inBucket = record?.keptAs === undefined ? undefined : objects.get(record.keptAs);
    expect([inRecord?.equals(message) ?? false, inBucket === message]).toEqual([isInRecord, !isInRecord]);
  });

  it("has no record if the bucket did not store it", async () => {
    const { meta } = stores();
    const ports = { meta, largeMessages: { keep: denied, read: async () => undefined } };
    const write = setAside(ports, Buffer.alloc(300_000), { reason: "Invalid.", now: NOON });
    await expect(write).rejects.toThrow("Access denied.");
    expect(await recordsIn(meta)).toEqual([]);
  });

  it("fails if its record cannot be written, so that it is delivered again", async () => {
    const meta = new MemoryMetaStore();
    meta.write = denied;
    const write = setAside({ meta }, Buffer.from("hello"), { reason: "Invalid.", now: NOON });
    await expect(write).rejects.toThrow("Access denied.");
  });

  it("keeps its first reason and time if it is delivered again", async () => {
    const { meta } = stores();
    const message = Buffer.from("hello");
    await setAside({ meta }, message, { reason: "First.", now: NOON, senderId: "AROAEAST000000000001:a" });
    await setAside({ meta }, message, { reason: "Second.", now: NOON + 1, senderId: "AROAEAST000000000001:b" });
    expect(await recordsIn(meta)).toMatchObject([{ reason: "First.", setAsideAt: NOON }]);
  });

  it("is dropped if its sender has exceeded its quota, and is kept if it was stored before", async () => {
    const { meta, objects, largeMessages } = stores();
    const asked: [string | undefined, number][] = [];
    let isAllowed = true;
    const take = async (senderId: string | undefined, bytes: number): Promise<boolean> => {
      asked.push([senderId, bytes]);
      return isAllowed;
    };
    const ports = { meta, largeMessages, quota: { take } };
    const reason = { reason: "Invalid.", now: NOON, senderId: "AROAEAST000000000001:a" };
    await setAside(ports, Buffer.from("hello"), reason);
    isAllowed = false;
    await setAside(ports, Buffer.from("hello"), reason);
    await setAside(ports, Buffer.from("other"), reason);
    await setAside(ports, Buffer.alloc(300_000), reason);
    expect(await recordsIn(meta)).toMatchObject([{ bytes: 5, message: "aGVsbG8=" }]);
    expect(objects.size).toBe(0);
    expect(asked.map(([, bytes]) => bytes)).toEqual([5, 5, 300_000]);
    expect(new Set(asked.map(([senderId]) => senderId))).toEqual(new Set([reason.senderId]));
  });

  it("is kept once per sender", async () => {
    const { meta } = stores();
    const message = Buffer.from("hello");
    for (const senderId of ["AROAEAST000000000001:a", "AROAWEST000000000001:a", undefined]) {
      await setAside({ meta }, message, { reason: "Invalid.", now: NOON, senderId });
    }
    expect(await recordsIn(meta)).toHaveLength(3);
  });
});

describe("the key of a message that was set aside", () => {
  it("is its SHA-256 and the principal without the session", () => {
    const sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    expect(setAsideKey(Buffer.from("hello"), undefined)).toBe(sha256);
    expect(setAsideKey(Buffer.from("hello"), "AROAEAST000000000001:pod")).toBe(`${sha256}#AROAEAST000000000001`);
  });
});
