import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import { LogDayRegistry } from "../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../src/log/ingest-segment.ts";
import { registerKubeSystem } from "../../src/log/principals.ts";
import { sealProbe } from "../../src/log/probe.ts";
import { PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import type { SetAside } from "../../src/ports/records/set-aside-record.ts";
import { type RegisteredSender, settleIdentity } from "../../src/log/sender.ts";
import { principalIdOf } from "../../src/ports/principal-id.ts";
import { SenderRegistry } from "../../src/log/sender-registry.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import type { Segment } from "../../src/segment/segment.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { MemoryLog } from "../support/stores/memory-log.ts";
import { MemoryRegistrations } from "../support/aws/memory-registrations.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { Story } from "../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const EAST_ROLE = "AROAEAST0000000000001";

/** What is registered, and the records of a stage. */
function registered(clusters: Readonly<Record<string, string>> = { [EAST_ROLE]: "east" }) {
  return { meta: new MemoryMetaStore(), registrations: MemoryRegistrations.ofSenders(clusters) };
}

function segmentOf({ cluster = "east", job = "render", kubeSystemUid }: SegmentWanted = {}): Uint8Array {
  const story = new Story(job);
  story.jobCreated();
  return sealSegment({
    cluster: clusterNamed(cluster),
    sealedAt: NOON,
    session: "0123456789abcdef",
    sequence: job.length,
    facts: story.facts,
    ...(kubeSystemUid !== undefined && { kubeSystemUid }),
  }).bytes;
}
interface SegmentWanted {
  readonly cluster?: string;
  readonly job?: string;
  readonly kubeSystemUid?: string;
}

const READER_OF_LOGS = "AROALOGS0000000000001";

/** A deletion request, as the function that reads audit logs sends it; with `others`, and what no audit log has. */
function hintsOf({ cluster = "east", others = false } = {}): Uint8Array {
  const story = new Story("render");
  story.jobCreated();
  const [first] = story.facts;
  if (first === undefined) throw new Error("The story has no fact.");
  const { epoch, resourceVersion, at } = first;
  const hint: Fact = {
    epoch,
    resourceVersion,
    at,
    kind: "RequestHinted",
    hintId: "a#ResponseComplete",
    target: { kind: "Job", namespace: "night", name: "render" },
    verb: "delete",
    user: "alice",
    code: 200,
    requestedAt: at,
  };
  return sealSegment({
    cluster: clusterNamed(cluster),
    sealedAt: NOON,
    session: "fedcba9876543210",
    sequence: 0,
    facts: [hint, ...(others ? story.facts : [])],
  }).bytes;
}

/** An ingest as the function has it: who sent what becomes what. */
function ingestOver({ meta, registrations }: ReturnType<typeof registered>, open = false) {
  const log = new MemoryLog();
  const senders = new SenderRegistry({
    principals: registrations.cached("senders"),
    meta,
    open,
    auditLogs: { principalId: READER_OF_LOGS, clusters: new Set(["east", "west"]) },
    now: () => NOON,
  });
  const send = async (senderId: string | undefined, message: Uint8Array) =>
    ingestSegment({ log, meta, days: new LogDayRegistry(meta) }, message, {
      now: NOON,
      sender: await senders.identify(senderId),
    });
  return { send };
}

async function setAsides(meta: MemoryMetaStore): Promise<readonly SetAside[]> {
  const { records } = await meta.list("setAside", { prefix: "", limit: 10 });
  return records.map(({ value }) => JSON.parse(value) as SetAside);
}

describe("a SenderId", () => {
  it.each([
    ["a role's session", "AROAEAST0000000000001:exporter-7f9c", "AROAEAST0000000000001"],
    ["a session named with colons", "AROAEAST0000000000001:AROAWEST:x", "AROAEAST0000000000001"],
    ["a user", "AIDAEAST0000000000001", "AIDAEAST0000000000001"],
    ["the account's root", "123456789012", "123456789012"],
    ["a federated user, who is not the root of its account", "123456789012:bob", "123456789012:bob"],
    ["a name that resembles a role's id", "aroaeast:x", "aroaeast:x"],
    ["an anonymous sender's address", "192.0.2.7", "192.0.2.7"],
  ])("of %s is the principal before its session", (_, senderId, principalId) => {
    expect(principalIdOf(senderId)).toBe(principalId);
  });
});

describe("a segment of the function that reads audit logs", () => {
  it.each(["east", "west"])("is appended for the cluster of each log group: %s", async (cluster) => {
    const { send } = ingestOver(registered());
    expect(await send(`${READER_OF_LOGS}:audit-logs`, hintsOf({ cluster }))).toMatchObject({ outcome: "appended" });
  });

  it.each([
    ["a cluster without a log group", { cluster: "north" }, "cluster north, and no log group is of it"],
    ["other facts than deletions", { others: true }, "may send RequestHinted only, and sent JobCreated"],
  ])("is set aside where it has %s", async (_, wanted, reason) => {
    const sent = await ingestOver(registered()).send(`${READER_OF_LOGS}:audit-logs`, hintsOf(wanted));
    expect(sent).toMatchObject({ outcome: "setAside" });
    expect(sent.outcome === "setAside" && sent.reason).toContain(reason);
  });

  it("is of no use to another sender", async () => {
    const sent = await ingestOver(registered()).send("AROAOTHER00000000001:audit-logs", hintsOf());
    expect(sent).toMatchObject({ outcome: "setAside" });
  });
});

describe("a segment", () => {
  it("of the sender's own cluster is appended", async () => {
    const { send } = ingestOver(registered());
    expect(await send(`${EAST_ROLE}:x`, segmentOf())).toMatchObject({ outcome: "appended" });
  });

  it.each([
    ["of another sender's cluster", `${EAST_ROLE}:x`, { cluster: "west" }, "is registered for cluster east"],
    [
      "of an unregistered sender",
      "AROAOTHER00000000001:x",
      {},
      "outlive clusters register east --principal-id AROAOTHER",
    ],
    ["of an unreported sender", undefined, {}, "attribute SenderId"],
  ])("%s is set aside with the reason and its sender", async (_, senderId, wanted, reason) => {
    const stage = registered();
    expect(await ingestOver(stage).send(senderId, segmentOf(wanted))).toMatchObject({ outcome: "setAside" });
    const [aside] = await setAsides(stage.meta);
    expect(aside?.reason).toContain(reason);
    expect(aside?.senderId).toBe(senderId);
  });

  it.each([
    ["an anonymous sender's address", "192.0.2.7"],
    ["a federated user", "123456789012:$(reboot)"],
    ["words", "; rm -rf ~"],
  ])("of %s is set aside without a command to copy", async (_, senderId) => {
    const refused = await ingestOver(registered()).send(senderId, segmentOf());
    expect("reason" in refused ? refused.reason : "").not.toContain("outlive clusters register");
  });

  it.each(["", " ", "$(reboot)", "x".repeat(129), "uid 1"])(
    "whose kube-system has uid %j is set aside, or treated as one without a uid",
    async (kubeSystemUid) => {
      const stage = registered();
      const { send } = ingestOver(stage);
      const { outcome } = await send(EAST_ROLE, segmentOf({ kubeSystemUid }));
      expect(outcome).toBe(kubeSystemUid === "" ? "appended" : "setAside");
      expect(await stage.meta.read("cluster", "east")).toBeUndefined();
    },
  );

  it("is kept for its own sender too if an unregistered sender copied it first", async () => {
    const stage = registered({});
    const { send } = ingestOver(stage);
    await send("AROAOTHER00000000001:thief", segmentOf());
    await send(`${EAST_ROLE}:x`, segmentOf());
    expect(new Set((await setAsides(stage.meta)).map(({ senderId }) => senderId))).toEqual(
      new Set([`${EAST_ROLE}:x`, "AROAOTHER00000000001:thief"]),
    );
  });

  it("of the probe's cluster is accepted from every sender if it is a probe, and nothing else", async () => {
    const { send } = ingestOver(registered());
    expect(await send("AIDAOPERATOR00000001", sealProbe(NOON).sealed.bytes)).toMatchObject({ outcome: "appended" });
    expect(await send("AIDAOPERATOR00000001", segmentOf({ cluster: PROBE_CLUSTER }))).toMatchObject({
      outcome: "setAside",
      reason: expect.stringContaining("only new probes") as string,
    });
  });

  it("of any cluster is accepted in open mode", async () => {
    const { send } = ingestOver(registered(), true);
    expect(await send(undefined, segmentOf({ cluster: "west" }))).toMatchObject({ outcome: "appended" });
  });
});

describe("the kube-system uid of a cluster", () => {
  it("is stored with the first segment, and segments with another one are set aside", async () => {
    const stage = registered();
    const { send } = ingestOver(stage);
    expect(await send(EAST_ROLE, segmentOf({ kubeSystemUid: "uid-1" }))).toMatchObject({ outcome: "appended" });
    expect(await send(EAST_ROLE, segmentOf({ job: "other", kubeSystemUid: "uid-1" }))).toMatchObject({
      outcome: "appended",
    });
    const refused = await send(EAST_ROLE, segmentOf({ job: "third-one", kubeSystemUid: "uid-2" }));
    expect(refused).toMatchObject({ outcome: "setAside" });
    expect("reason" in refused ? refused.reason : "").toContain("--kube-system-uid uid-2");
  });

  it("takes effect at once after a new registration, despite the cache", async () => {
    const stage = registered();
    const { send } = ingestOver(stage);
    await registerKubeSystem(stage.meta, clusterNamed("east"), "uid-1");
    await send(EAST_ROLE, segmentOf({ kubeSystemUid: "uid-1" }));
    const anew = segmentOf({ job: "other", kubeSystemUid: "uid-2" });
    expect(await send(EAST_ROLE, anew)).toMatchObject({ outcome: "setAside" });
    await registerKubeSystem(stage.meta, clusterNamed("east"), "uid-2");
    expect(await send(EAST_ROLE, anew)).toMatchObject({ outcome: "appended" });
  });

  it("is stored without changing the heartbeat", async () => {
    const stage = registered();
    const observed = { kind: "ClusterObserved", epoch: 0, resourceVersion: 1, at: 1 };
    await stage.meta.write("cluster", "east", { value: JSON.stringify({ observed }), expected: 0 });
    await ingestOver(stage).send(EAST_ROLE, segmentOf({ kubeSystemUid: "uid-1" }));
    expect((await stage.meta.read("cluster", "east"))?.value).toBe(canonical({ kubeSystemUid: "uid-1", observed }));
  });

  it("is not required of segments", async () => {
    const stage = registered();
    const { send } = ingestOver(stage);
    await send(EAST_ROLE, segmentOf({ kubeSystemUid: "uid-1" }));
    expect(await send(EAST_ROLE, segmentOf({ job: "other" }))).toMatchObject({ outcome: "appended" });
  });
});

function decodedFrom(kubeSystemUid?: string): Segment {
  const decoded = decodeSegment(segmentOf(kubeSystemUid === undefined ? {} : { kubeSystemUid }));
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.segment;
}

describe("the identity of a cluster", () => {
  const sender: RegisteredSender = { kind: "registered", senderId: EAST_ROLE, cluster: clusterNamed("east") };
  it("is settled by its first segment, without asking again who the sender is", async () => {
    const meta = new MemoryMetaStore();
    expect(await settleIdentity(meta, sender, decodedFrom("uid-1"))).toEqual({ ...sender, kubeSystemUid: "uid-1" });
    expect(await settleIdentity(meta, sender, decodedFrom("uid-2"))).toEqual({ ...sender, kubeSystemUid: "uid-1" });
  });

  it("is that of one of two clusters that send their first segments at the same time", async () => {
    const { meta } = registered();
    const both = await Promise.all(["uid-1", "uid-2"].map((uid) => settleIdentity(meta, sender, decodedFrom(uid))));
    expect(both).toEqual([1, 2].map(() => ({ ...sender, kubeSystemUid: "uid-1" })));
  });

  it("is not settled by a segment without one, or by a sender that is not registered", async () => {
    const meta = new MemoryMetaStore();
    expect(await settleIdentity(meta, sender, decodedFrom())).toEqual(sender);
    expect(await settleIdentity(meta, { kind: "open" }, decodedFrom("uid-1"))).toEqual({ kind: "open" });
    expect(meta.contents()).toEqual([]);
  });
});
