import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { importRecordings } from "../../src/host/embedded/import-recordings.ts";
import { openEmbedded } from "../../src/host/embedded/embedded-tracker.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";
import { runOutlive, scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const outlive = (...args: readonly string[]) => runOutlive(args, { cwd: scratch.path });

const NAMESPACE = "shop";
const BEGIN = Date.UTC(2026, 10, 22, 12);
const SECRET = "s3cr3t-token";
const MARKUP = `<img src=x onerror=alert(1)> [link](javascript:x) ${SECRET}`;
let version = 100;

const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString().replace(".000", "");
const metadata = (name: string, uid: string) => {
  version += 1;
  return { name, namespace: NAMESPACE, uid, resourceVersion: String(version), creationTimestamp: at(0) };
};

function job(name: string, status: object) {
  const spec = { parallelism: 1, completions: 1, backoffLimit: 0, template: { spec: { restartPolicy: "Never" } } };
  return { apiVersion: "batch/v1", kind: "Job", metadata: metadata(name, `job-${name}`), spec, status };
}

function pod(owner: string, status: object) {
  const owners = [{ apiVersion: "batch/v1", kind: "Job", name: owner, uid: `job-${owner}`, controller: true }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata(`${owner}-x1`, `pod-${owner}`), ownerReferences: owners },
    spec: { nodeName: "node-a", restartPolicy: "Never", containers: [{ name: "work", image: "x" }] },
    status,
  };
}

function event(owner: string, reason: string, more: { readonly uid?: string; readonly message?: string } = {}) {
  const { uid = `pod-${owner}`, message = MARKUP } = more;
  version += 1;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { ...metadata(`${owner}.${version}`, `event-${version}`) },
    involvedObject: { kind: "Pod", namespace: NAMESPACE, name: `${owner}-x1`, uid },
    type: "Warning",
    reason,
    message,
    firstTimestamp: at(5),
    lastTimestamp: at(5),
    count: 1,
  };
}

const ended = (exitCode: number) => ({
  phase: exitCode === 0 ? "Succeeded" : "Failed",
  containerStatuses: [
    {
      name: "work",
      restartCount: 0,
      state: { terminated: { exitCode, reason: "Error", message: MARKUP, startedAt: at(1), finishedAt: at(5) } },
    },
  ],
});
const complete = { succeeded: 1, conditions: [{ type: "Complete", status: "True", lastTransitionTime: at(9) }] };
const failed = {
  failed: 1,
  conditions: [
    { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: MARKUP, lastTransitionTime: at(9) },
  ],
};

/** A Pod that waits with another message each time. */
function waits(owner: string, times: number): readonly object[] {
  return Array.from({ length: times }, (_, n) =>
    pod(owner, {
      phase: "Pending",
      containerStatuses: [
        { name: "work", restartCount: 0, state: { waiting: { reason: "ErrImagePull", message: `${n} ${MARKUP}` } } },
      ],
    }),
  );
}

const FILE = "bad.ndjson";
const answers = new Map<string, readonly [folded: JobAnswer, got: JobAnswer]>();
let printed = "";

beforeAll(async () => {
  const objects = [
    job("contradicted", complete),
    pod("contradicted", ended(0)),
    ...["FailedScheduling", "FailedMount", "Evicted", "BackOff"].map((reason) => event("contradicted", reason)),
    job("namesake", failed),
    pod("namesake", ended(137)),
    event("namesake", "Unhealthy", { uid: "pod-of-yesterday", message: "Liveness probe failed: x" }),
    job("restless", { active: 1, startTime: at(0) }),
    ...waits("restless", 1_000),
    job("marked-up", failed),
    pod("marked-up", ended(3)),
  ];
  const lines = objects.map((object) => JSON.stringify({ type: "ADDED", object }));
  writeFileSync(join(scratch.path, FILE), `${lines.join("\n")}\n`);
  const folded = await outlive("fold", "--pods", "-o", "json", FILE);
  const { jobs } = JSON.parse(folded.stdout) as { readonly jobs: readonly JobAnswer[] };
  const imported = await outlive("import", FILE);
  expect([folded.status, imported.status]).toEqual([0, 0]);
  printed = folded.stdout;
  for (const one of jobs) {
    const got = await outlive("get", one.name, "-n", NAMESPACE, "-o", "json");
    const why = await outlive("why", one.name, "-n", NAMESPACE);
    printed += got.stdout + why.stdout;
    answers.set(one.name, [one, JSON.parse(got.stdout) as JobAnswer]);
  }
}, 240_000);

function both(name: string): readonly JobAnswer[] {
  return answers.get(name) ?? [];
}

/** Bytes of the stored state of a Job. */
async function stateBytes(name: string): Promise<number> {
  const embedded = openEmbedded(join(scratch.path, "in-process.sqlite"));
  await importRecordings(embedded, { clusterName: "bad", files: [join(scratch.path, FILE)] });
  const key = { cluster: clusterNamed("bad"), jobUid: jobUid(`job-${name}`) };
  const stored = await (await liveJobs(embedded.projections, embedded.meta)).read(key);
  embedded.close();
  return stored?.bytes.length ?? Infinity;
}

describe("bad input, through fold, and through import and get", () => {
  it("does not let Events contradict a Pod that succeeded", () => {
    for (const { verdict, cause, waiting } of both("contradicted")) {
      expect(verdict).toMatchObject({ state: "Complete", final: true });
      expect([cause, waiting]).toEqual([undefined, undefined]);
    }
  });

  it("does not take the Events of another Pod of the same name", () => {
    for (const { cause } of both("namesake")) {
      expect(cause?.message).toBe("container work exited with code 137 (SIGKILL)");
    }
  });

  it("keeps the first waiting reason and the latest of a thousand messages", () => {
    for (const { waiting } of both("restless")) {
      expect(waiting).toMatchObject({ reason: "ImagePull", podCount: 1 });
      expect(waiting?.evidence.length).toBeLessThan(5);
    }
    expect(JSON.stringify(both("restless")[1]).length).toBeLessThan(3_000);
  });

  it("stores the Job with a thousand messages in less than 1 KB", async () => {
    expect(await stateBytes("restless")).toBeLessThan(1_024);
  });

  it("lets no message out", () => {
    for (const { cause } of both("marked-up")) expect(cause?.message).toBe("container work exited with code 3");
    expect(answers.size).toBe(4);
    expect(printed).not.toContain(SECRET);
    expect(printed).not.toContain("onerror");
  });
});
