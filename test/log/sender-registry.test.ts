import { describe, expect, it } from "vitest";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const EAST_ROLE = "AROAEAST0000000000001";

function registryOf(registrations: MemoryRegistrations, { open = false, meta = new MemoryMetaStore() } = {}) {
  const clock = { now: NOON };
  const now = () => clock.now;
  const registry = new SenderRegistry({ principals: registrations.cached("senders", now), meta, open, now });
  return { registry, clock, meta };
}

const east = () => MemoryRegistrations.ofSenders({ [EAST_ROLE]: "east" });

describe("a sender", () => {
  it("that is registered sends for its cluster, with any session name", async () => {
    const { registry } = registryOf(east());
    const sender = { kind: "registered", cluster: "east" };
    expect(await registry.identify(`${EAST_ROLE}:first`)).toEqual({ ...sender, senderId: `${EAST_ROLE}:first` });
    expect(await registry.identify(`${EAST_ROLE}:second`)).toEqual({ ...sender, senderId: `${EAST_ROLE}:second` });
  });

  it.each([
    ["an unregistered principal", "AROAOTHER00000000001:exporter"],
    ["a longer id", `${EAST_ROLE}X:exporter`],
    ["a shorter id", EAST_ROLE.slice(0, -1)],
    ["another spelling", EAST_ROLE.toLowerCase()],
    ["an empty id", ""],
    ["one that SQS did not report", undefined],
  ])("is unregistered: %s", async (_, senderId) => {
    expect(await registryOf(east()).registry.identify(senderId)).toMatchObject({ kind: "unregistered" });
  });

  it("is unregistered if its parameter has something else", async () => {
    const registrations = new MemoryRegistrations();
    registrations.put("senders", EAST_ROLE, { clusters: ["east"] });
    expect(await registryOf(registrations).registry.identify(EAST_ROLE)).toMatchObject({ kind: "unregistered" });
  });

  it("needs no registration in open mode", async () => {
    const registrations = new MemoryRegistrations();
    const { registry } = registryOf(registrations, { open: true });
    expect(await registry.identify(EAST_ROLE)).toEqual({ kind: "open", senderId: EAST_ROLE });
    expect(await registry.identify(undefined)).toEqual({ kind: "open" });
    expect(registrations.lists).toBe(0);
  });
});

describe("what is known of senders", () => {
  it("expires after a minute, so that a removed sender is rejected and a new one accepted", async () => {
    const registrations = east();
    const { registry, clock } = registryOf(registrations);
    await registry.identify(EAST_ROLE);
    await registrations.remove("senders", EAST_ROLE);
    registrations.put("senders", "AROAWEST0000000000001", { cluster: "west" });
    clock.now = NOON + 59_999;
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "registered" });
    expect(await registry.identify("AROAWEST0000000000001")).toMatchObject({ kind: "unregistered" });
    clock.now = NOON + 60_000;
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kind: "unregistered" });
    expect(await registry.identify("AROAWEST0000000000001")).toMatchObject({ cluster: "west" });
    expect(registrations.lists).toBe(2);
  });

  it("includes the identity of its cluster, with one read a minute", async () => {
    const meta = new MemoryMetaStore();
    await meta.write("cluster", "east", { value: '{"kubeSystemUid":"uid-1"}', expected: 0 });
    const { registry } = registryOf(east(), { meta });
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kubeSystemUid: "uid-1" });
    await meta.write("cluster", "east", { value: '{"kubeSystemUid":"uid-2"}', expected: 1 });
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ kubeSystemUid: "uid-1" });
  });

  it("is of its present cluster, if it was registered for another one within the minute", async () => {
    const registrations = east();
    const { registry } = registryOf(registrations);
    await registry.identify(EAST_ROLE);
    registrations.put("senders", EAST_ROLE, { cluster: "west" });
    registry.forget();
    expect(await registry.identify(EAST_ROLE)).toMatchObject({ cluster: "west" });
  });
});
