import { describe, expect, it } from "vitest";
import { listPrincipals, registerKubeSystem, registerPrincipal } from "../../src/log/principals.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const EAST = { principalId: "AROAEAST000000000001", cluster: clusterNamed("east") };
const WEST = { principalId: "AROAWEST000000000001", cluster: clusterNamed("west") };

describe("the registry of senders", () => {
  it("has several senders of one cluster, and lists them by cluster and id", async () => {
    const registrations = new MemoryRegistrations();
    registrations.at = NOON;
    const other = { ...EAST, principalId: "AIDAEAST000000000002", arn: "arn:aws:iam::123456789012:user/x" };
    const first = { principalId: "AROAZZZZ000000000001", cluster: clusterNamed("a") };
    expect(await registerPrincipal(registrations, EAST)).toEqual({ outcome: "registered" });
    expect(await registerPrincipal(registrations, EAST)).toEqual({ outcome: "unchanged" });
    await registerPrincipal(registrations, other);
    await registerPrincipal(registrations, first);
    expect(await listPrincipals(registrations)).toEqual(
      [first, other, EAST].map((each) => ({ ...each, registeredAt: NOON })),
    );
  });

  it("has one cluster per sender, until its registration is removed", async () => {
    const registrations = new MemoryRegistrations();
    await registerPrincipal(registrations, EAST);
    const elsewhere = { ...EAST, cluster: WEST.cluster };
    expect(await registerPrincipal(registrations, elsewhere)).toEqual({
      outcome: "registeredElsewhere",
      cluster: "east",
    });
    await registrations.remove("senders", EAST.principalId);
    expect(await registerPrincipal(registrations, elsewhere)).toEqual({ outcome: "registered" });
  });

  it("does not list a parameter that registers nobody, and says so", async () => {
    const registrations = new MemoryRegistrations();
    registrations.put("senders", EAST.principalId, { cluster: "no cluster" });
    expect(await listPrincipals(registrations)).toEqual([]);
    expect(await registerPrincipal(registrations, EAST)).toEqual({ outcome: "invalid" });
  });
});

describe("a registration that another command removes at the same time", () => {
  it("is a conflict, and nothing is removed because of it", async () => {
    const registrations = new MemoryRegistrations();
    registrations.write = async () => "exists";
    expect(await registerPrincipal(registrations, EAST)).toEqual({ outcome: "conflict" });
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

describe("the kube-system uid of a rebuilt cluster", () => {
  it("replaces the registered one and keeps the other fields of the cluster", async () => {
    const meta = new MemoryMetaStore();
    await meta.write("cluster", "east", { value: '{"kubeSystemUid":"old","later":1}', expected: 0 });
    expect(await registerKubeSystem(meta, EAST.cluster, "new")).toBe("registered");
    expect(await registerKubeSystem(meta, EAST.cluster, "new")).toBe("unchanged");
    expect(JSON.parse((await meta.read("cluster", "east"))?.value ?? "")).toEqual({ kubeSystemUid: "new", later: 1 });
  });

  it("is a conflict if another command changes the cluster, so that nothing is lost", async () => {
    expect(await registerKubeSystem(new RacingMetaStore(), EAST.cluster, "uid-1")).toBe("conflict");
  });
});
