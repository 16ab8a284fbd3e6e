import { describe, expect, it } from "vitest";
import {
  listPrincipals,
  type Principal,
  registerKubeSystem,
  registerPrincipal,
  unregisterPrincipal,
} from "../../src/log/principals.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const EAST: Principal = { principalId: "AROAEAST000000000001", cluster: clusterNamed("east") };
const WEST: Principal = { principalId: "AROAWEST000000000001", cluster: clusterNamed("west") };

describe("the registry of senders", () => {
  it("has several senders of one cluster, and lists them", async () => {
    const meta = new MemoryMetaStore();
    const other = { ...EAST, principalId: "AIDAEAST000000000002", arn: "arn:aws:iam::123456789012:user/x" };
    expect(await registerPrincipal(meta, EAST, NOON)).toEqual({ outcome: "registered" });
    expect(await registerPrincipal(meta, EAST, NOON + 1)).toEqual({ outcome: "unchanged" });
    await registerPrincipal(meta, other, NOON);
    expect(await listPrincipals(meta)).toEqual([
      { ...other, registeredAt: NOON },
      { ...EAST, registeredAt: NOON },
    ]);
  });

  it("lists them by cluster", async () => {
    const meta = new MemoryMetaStore();
    const first = { principalId: "AROAZZZZ000000000001", cluster: clusterNamed("a") };
    await registerPrincipal(meta, EAST, NOON);
    await registerPrincipal(meta, first, NOON);
    expect((await listPrincipals(meta)).map(({ cluster }) => cluster)).toEqual(["a", "east"]);
  });

  it("has one cluster per sender", async () => {
    const meta = new MemoryMetaStore();
    await registerPrincipal(meta, EAST, NOON);
    expect(await registerPrincipal(meta, { ...EAST, cluster: WEST.cluster }, NOON)).toEqual({
      outcome: "registeredElsewhere",
      cluster: "east",
    });
    expect(await unregisterPrincipal(meta, EAST.principalId, NOON)).toEqual({
      outcome: "unregistered",
      cluster: "east",
    });
    expect(await unregisterPrincipal(meta, EAST.principalId, NOON)).toEqual({ outcome: "notRegistered" });
    expect(await registerPrincipal(meta, { ...EAST, cluster: WEST.cluster }, NOON)).toEqual({ outcome: "registered" });
  });
});

/** Another command writes the record between the read and the write. */
class RacingMetaStore extends MemoryMetaStore {
  override async read(...[kind, key]: Parameters<MemoryMetaStore["read"]>) {
    const record = await super.read(kind, key);
    await this.write(kind, key, { value: "{}", expected: record?.version ?? 0 });
    return record;
  }
}

describe("concurrent registrations", () => {
  it("are a conflict, so that none is lost", async () => {
    expect(await registerPrincipal(new RacingMetaStore(), EAST, NOON)).toEqual({ outcome: "conflict" });
    expect(await registerKubeSystem(new RacingMetaStore(), EAST.cluster, "uid-1")).toBe("conflict");
  });
});

describe("the kube-system uid of a rebuilt cluster", () => {
  it("replaces the registered one and keeps the other fields of the cluster", async () => {
    const meta = new MemoryMetaStore();
    await meta.write("cluster", "east", { value: '{"kubeSystemUid":"old","later":1}', expected: 0 });
    expect(await registerKubeSystem(meta, EAST.cluster, "new")).toBe("registered");
    expect(await registerKubeSystem(meta, EAST.cluster, "new")).toBe("unchanged");
    expect(JSON.parse((await meta.read("cluster", "east"))?.value ?? "")).toEqual({ kubeSystemUid: "new", later: 1 });
  });
});
