import { describe, expect, it } from "vitest";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import type { PrincipalRecord } from "../../src/ports/records/principal-record.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const EAST_ROLE = "AROAEAST0000000000001";

async function registered(
  principals: Readonly<Record<string, PrincipalRecord>> = { [EAST_ROLE]: { cluster: "east" } },
) {
  const meta = new MemoryMetaStore();
  for (const [id, record] of Object.entries(principals)) {
    await meta.write("principal", id, { value: JSON.stringify(record), expected: 0 });
  }
  return meta;
}

describe("a sender", () => {
  it("is unregistered if SQS did not report it", async () => {
    const registry = new SenderRegistry(await registered(), { open: false, now: () => NOON });
    expect(await registry.identify(undefined)).toEqual({ kind: "unregistered" });
  });

  it("needs no registration in open mode", async () => {
    const registry = new SenderRegistry(await registered({}), { open: true, now: () => NOON });
    expect(await registry.identify(EAST_ROLE)).toEqual({ kind: "open", senderId: EAST_ROLE });
    expect(await registry.identify(undefined)).toEqual({ kind: "open" });
  });
});

describe("the cache of senders", () => {
  it("expires after a minute, so that a removed sender is rejected", async () => {
    const meta = await registered();
    let now = NOON;
    const registry = new SenderRegistry(meta, { open: false, now: () => now });
    await registry.identify(EAST_ROLE);
    await meta.write("principal", EAST_ROLE, { value: JSON.stringify({ unregisteredAt: NOON }), expected: 1 });
    now = NOON + 59_999;
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "registered" });
    now = NOON + 60_000;
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "unregistered" });
  });

  it("has no unregistered senders, so that a registration takes effect at once", async () => {
    const meta = await registered({});
    const registry = new SenderRegistry(meta, { open: false, now: () => NOON });
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "unregistered" });
    await meta.write("principal", EAST_ROLE, { value: JSON.stringify({ cluster: "east" }), expected: 0 });
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "registered", cluster: "east" });
  });

  it("returns the session of each request", async () => {
    const registry = new SenderRegistry(await registered(), { open: false, now: () => NOON });
    await registry.identify(`${EAST_ROLE}:first`);
    expect(await registry.identify(`${EAST_ROLE}:second`)).toMatchObject({ senderId: `${EAST_ROLE}:second` });
  });
});
