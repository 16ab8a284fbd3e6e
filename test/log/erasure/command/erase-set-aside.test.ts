import { beforeEach, describe, expect, it } from "vitest";
import { droppedBy, eraseSetAside } from "../../../../src/log/erasure/command/erase-set-aside.ts";
import { Erasure } from "../../../../src/log/erasure/erasure.ts";
import { scopeOf } from "../../../../src/log/erasure/erasure-target.ts";
import { MAX_AGE_MS } from "../../../../src/ports/segment-queue.ts";
import { listPrincipals } from "../../../../src/log/principals.ts";
import { setAside, setAsideKey } from "../../../../src/log/set-aside.ts";
import { setAsideRecord } from "../../../../src/ports/records/set-aside-record.ts";
import { ofNamespace } from "../../../support/erasure/erasure-scene.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../../../support/aws/memory-registrations.ts";

const AT = Date.UTC(2026, 10, 21);
const SENDER = "AROAEXAMPLEEXAMPLE:session";
const UNREADABLE = Buffer.from("no segment");

let meta: MemoryMetaStore;
let registrations: MemoryRegistrations;
beforeEach(() => {
  registrations = new MemoryRegistrations();
  meta = new MemoryMetaStore();
});

const scope = scopeOf({ target: ofNamespace, by: "alice", reason: "x", at: AT }, { id: "erasure-1", salt: "s" });
const erase = () => eraseSetAside({ meta, senders: () => listPrincipals(registrations) }, new Erasure(scope));

function register(cluster: string, registeredAt: number): void {
  registrations.put("senders", "AROAEXAMPLEEXAMPLE", { cluster }, registeredAt);
}

async function arrive(now: number, senderId?: string): Promise<string> {
  await setAside({ meta }, UNREADABLE, { reason: "It is damaged.", now, senderId });
  return setAsideKey(UNREADABLE, senderId);
}

async function stored(key: string) {
  const record = await meta.read("setAside", key);
  return record && setAsideRecord.decode({ ...record, key });
}

describe("a message that was set aside and cannot be read", () => {
  it.each([
    ["that this process sent", undefined, undefined],
    ["of a sender that is not registered", SENDER, undefined],
    ["of a sender of the erased cluster", SENDER, ["east", AT - 2 * MAX_AGE_MS]],
    ["of a sender that was registered for another cluster while it waited", SENDER, ["west", AT - MAX_AGE_MS + 1]],
  ] as const)("%s is dropped, and the erasure that did it is noted", async (_, sender, registered) => {
    if (registered !== undefined) register(registered[0], registered[1]);
    const key = await arrive(AT, sender);
    expect(await erase()).toBe(1);
    expect(await stored(key)).toMatchObject({ reason: "It is damaged.", settledAt: AT, erasedBy: "erasure-1" });
    expect(await stored(key)).not.toHaveProperty("message");
    expect(await droppedBy(meta, "erasure-1")).toMatchObject([
      { key, reason: "It is damaged.", setAsideAt: AT, bytes: UNREADABLE.length },
    ]);
    expect(await droppedBy(meta, "erasure-2")).toEqual([]);
    expect(await erase()).toBe(0);
  });

  it("of a sender that was registered for another cluster is kept", async () => {
    register("west", AT - MAX_AGE_MS);
    const key = await arrive(AT, SENDER);
    expect(await erase()).toBe(0);
    expect(await stored(key)).toMatchObject({ message: UNREADABLE.toString("base64") });
    expect(await droppedBy(meta, "erasure-1")).toEqual([]);
  });

  it("is kept if it was set aside after the erasure", async () => {
    const key = await arrive(AT + 1);
    expect(await erase()).toBe(0);
    expect(await stored(key)).toMatchObject({ message: UNREADABLE.toString("base64") });
  });
});
