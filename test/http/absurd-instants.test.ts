import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/job/model/fact.ts";
import { EARLIEST, type Instant, LATEST } from "../../src/job/model/instant.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { apiOver } from "../support/http/request-api.ts";
import { added, jobObject, podObject } from "../support/kubernetes/watch-objects.ts";
import { storesWithFacts } from "../support/stores/stores-with-facts.ts";

/** Real facts of every kind, whose instants a sender has then replaced. */
function factsAt(replace: (instant: Instant) => Instant): readonly Fact[] {
  const time = "2026-01-01T00:00:00Z";
  const metadata = { creationTimestamp: time };
  const objects = [
    jobObject({ metadata, status: { startTime: "2026-01-01T00:00:00.001Z", active: 1 } }),
    podObject({ metadata, status: { phase: "Running", startTime: time } }),
    {
      kind: "CronJob",
      apiVersion: "batch/v1",
      metadata: { ...metadata, name: "nightly", namespace: "render", uid: "cron-1", resourceVersion: "7" },
      spec: { schedule: "* * * * *", suspend: false, concurrencyPolicy: "Allow", jobTemplate: {} },
      status: { lastScheduleTime: time },
    },
    {
      kind: "Node",
      apiVersion: "v1",
      metadata: { ...metadata, name: "n1", uid: "n1", resourceVersion: "7" },
      status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00.001Z" }] },
    },
    {
      kind: "Event",
      apiVersion: "v1",
      metadata: { ...metadata, name: "e", namespace: "render", uid: "e1", resourceVersion: "9" },
      involvedObject: { kind: "CronJob", namespace: "render", name: "nightly", uid: "cron-1" },
      reason: "FailedCreate",
      lastTimestamp: time,
    },
  ];
  const facts = objects.flatMap((object) => {
    const translated = translate(added(object));
    if (translated.outcome !== "translated") throw new Error(JSON.stringify(translated));
    return translated.facts;
  });
  const at = Date.parse(time);
  const stamp = { epoch: 0, resourceVersion: facts[0]?.resourceVersion, at };
  const ofExporter = [
    { ...stamp, kind: "GapRecorded", gapId: "g", from: at, to: at + 1001, resources: ["jobs"], reason: "restart" },
    { ...stamp, kind: "ClusterObserved", kubeSystemUid: "k", serverVersion: "v1.36.0" },
  ];
  return [...facts, ...ofExporter].map((fact) => replaced(fact, replace) as Fact);
}

function replaced(value: unknown, replace: (instant: Instant) => Instant): unknown {
  if (typeof value === "number") return value > 1e11 ? replace(value) : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, content]) => [field, replaced(content, replace)]));
}

const EXTREMES: readonly (readonly [string, (instant: Instant) => Instant])[] = [
  ["in the year 0", () => EARLIEST],
  ["in the year 9999", () => LATEST],
  ["in the year 0 or in the year 9999", (instant) => (instant % 2 === 0 ? EARLIEST : LATEST)],
];

describe.each(EXTREMES)("facts of a sender that are %s", (_, replace) => {
  it.each([
    "/v1/jobs",
    "/v1/jobs?sort=-createdAt&createdAfter=2025-01-01T00:00:00Z",
    "/v1/jobs?attention=true",
    "/v1/clusters",
    "/v1/gaps",
    "/v1/summary",
    "/v1/usage?since=1970-01-01T00:00:00Z&by=node",
    "/v1/cronjobs",
    "/v1/changes?since=2025-12-31T00:00:00Z",
    "/v1/clusters/east/namespaces/render/cronjobs/nightly/runs",
    "JOB",
    "JOB/pods",
    "JOB/history",
    "JOB/why",
    "JOB/indexes",
  ])("are answered without much work: %s", async (route) => {
    const facts = factsAt(replace);
    const created = facts.find((fact) => fact.kind === "JobCreated");
    const path = `/v1/clusters/east/namespaces/${created?.namespace}/jobs/${created?.name}`;
    const { ask, errors } = apiOver(await storesWithFacts(facts));
    const { status } = await ask(route.replace("JOB", path));
    expect(errors).toEqual([]);
    expect(status).toBe(200);
  });
});
