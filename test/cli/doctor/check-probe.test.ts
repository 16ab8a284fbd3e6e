import { describe, expect, it } from "vitest";
import type { Check } from "../../../cli/doctor/check.ts";
import { checkProbe, type ProbePorts } from "../../../cli/doctor/check-probe.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { SenderRegistry } from "../../../src/log/sender-registry.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";
import type { SegmentQueue } from "../../../src/ports/segment-queue.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { apiOver } from "../../support/http/request-api.ts";
import { emptyStores } from "../../support/stores/stores-with-facts.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const SENDER = "AIDAOPERATOR00000001";

interface Bent {
  /** The function of the queue looks at the clock this much later than who sent. */
  readonly clockAhead?: number;
  readonly ingests?: boolean;
  readonly projects?: boolean;
}

/** A deployment in memory: what is sent is ingested by the same steps, and projected. */
function deployment({ clockAhead = 0, ingests = true, projects = true }: Bent = {}) {
  const stores = emptyStores();
  let now = NOON;
  const senders = new SenderRegistry({
    principals: new MemoryRegistrations().cached("senders"),
    meta: stores.meta,
    open: false,
    now: () => now,
  });
  const queue: SegmentQueue = {
    send: async (segments) => {
      for (const { bytes } of ingests ? segments : []) {
        const sender = await senders.identify(SENDER);
        const ports = { log: stores.log, meta: stores.meta, days: new LogDayRegistry(stores.meta) };
        const ingested = await ingestSegment(ports, bytes, { now: now + clockAhead, sender });
        const items = projects && "item" in ingested ? [ingested.item] : [];
        await projectLive(stores, items, { attempts: 3, pause: async () => {} });
      }
      return segments.map(() => ({ outcome: "accepted" }));
    },
  };
  const ports: ProbePorts = {
    ...stores,
    queue,
    api: inProcessClient(stores, "The API"),
    now: () => now,
    pause: async () => {
      now += 500;
    },
    timeoutMillis: 5_000,
  };
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return { stores, ports, later };
}

async function checksOf(ports: ProbePorts): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for await (const check of checkProbe(ports)) checks.push(check);
  return checks;
}

function resultsOf(checks: readonly Check[]): readonly string[] {
  return checks.map(({ check, result }) => `${check} ${result}`);
}

describe("a probe", () => {
  it("passes the queue, the log, the projection and the API from any sender", async () => {
    const { ports } = deployment();
    expect(resultsOf(await checksOf(ports))).toEqual(["queue ok", "ingest ok", "projection ok", "answer ok"]);
  });

  it("is distinguished from earlier probes", async () => {
    const { ports, later } = deployment();
    await checksOf(ports);
    later(1);
    const second = await checksOf(ports);
    expect(second.at(-1)).toMatchObject({ check: "answer", result: "ok" });
    const { stores, ports: stopped } = deployment({ projects: false });
    expect(await checksOf({ ...stopped, projections: stores.projections })).toContainEqual(
      expect.objectContaining({ check: "projection", result: "failed" }),
    );
  });

  it("leaves one Job per day, which appears in no list", async () => {
    const { stores, ports, later } = deployment();
    for (let time = 0; time < 5; time += 1) {
      await checksOf(ports);
      later(60_000);
    }
    const { ask } = apiOver(stores);
    const jobs = await ask("/v1/clusters/outlive-doctor/namespaces/probe/jobs/probe");
    expect(jobs.body).not.toHaveProperty("generations");
    expect(jobs.body).toMatchObject({ verdict: { state: "Complete", final: true }, findings: [] });
    expect((await ask("/v1/clusters")).body).toEqual({ items: [] });
    expect((await ask("/v1/jobs")).body).toEqual({ items: [] });
    expect((await ask("/v1/summary")).body).toMatchObject({ jobs: 0 });
  });

  it.each<readonly [string, Bent, string, string]>([
    ["nothing ingests", { ingests: false }, "ingest", "receives no messages"],
    ["this machine's clock is behind", { clockAhead: 16 * 86_400_000 }, "ingest", "set aside: The segment was sealed"],
    ["this machine's clock is ahead", { clockAhead: -3_600_000 }, "ingest", "Set the exporter's clock"],
    ["nothing projects", { projects: false }, "projection", "stream does not move"],
  ])("fails if %s, and skips the later checks", async (_, bent, at, says) => {
    const checks = await checksOf(deployment(bent).ports);
    expect(checks.at(-1)).toMatchObject({ check: at, result: "failed" });
    expect(checks.at(-1)?.detail).toContain(says);
  });

  it("that the queue rejects fails with the reason of the queue", async () => {
    const { ports } = deployment();
    const queue: SegmentQueue = {
      send: async () => [{ outcome: "unreachable", reason: "Queue x : access denied." }],
    };
    expect(await checksOf({ ...ports, queue })).toEqual([
      { check: "queue", result: "failed", detail: "Queue x : access denied." },
    ]);
  });

  it("that the reader has no access to is a warning", async () => {
    const { stores, ports } = deployment();
    const { app } = apiOver(emptyStores());
    const api = { name: "The API", request: async (path: string) => app.request(path), close: async () => {} };
    const checks = await checksOf({ ...ports, ...stores, api });
    expect(checks.at(-1)).toMatchObject({ check: "answer", result: "warning" });
  });

  it("is not queried if the API failed an earlier check", async () => {
    const { ports } = deployment();
    const { api: _, ...withoutApi } = ports;
    const checks = await checksOf(withoutApi);
    expect(checks.at(-1)).toMatchObject({ check: "answer", result: "skipped" });
  });
});
