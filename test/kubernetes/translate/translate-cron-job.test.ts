import { describe, expect, it } from "vitest";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { added, deleted, kindsOf, toldOf } from "../../support/kubernetes/watch-objects.ts";

const cronJob = (spec: object = {}, more: object = {}) => ({
  kind: "CronJob",
  apiVersion: "batch/v1",
  metadata: {
    name: "nightly",
    namespace: "night",
    uid: "c1",
    resourceVersion: "41",
    generation: 2,
    creationTimestamp: "2026-11-20T08:00:00Z",
  },
  spec: { schedule: "0 1 * * *", jobTemplate: { spec: {} }, ...spec },
  status: { lastScheduleTime: "2026-11-21T01:00:00Z", lastSuccessfulTime: "2026-11-21T01:05:00Z" },
  ...more,
});

describe("a CronJob", () => {
  it("is observed with its schedule, the defaults of Kubernetes, and its last run", () => {
    expect(toldOf("CronJobObserved", added(cronJob()))).toEqual([
      {
        namespace: "night",
        name: "nightly",
        cronJobUid: "c1",
        createdAt: Date.parse("2026-11-20T08:00:00Z"),
        generation: 2,
        schedule: "0 1 * * *",
        suspend: false,
        concurrencyPolicy: "Allow",
        lastScheduledAt: Date.parse("2026-11-21T01:00:00Z"),
        lastSuccessfulAt: Date.parse("2026-11-21T01:05:00Z"),
      },
    ]);
  });

  it("is observed with the values of its spec", () => {
    const spec = {
      timeZone: "Europe/Berlin",
      suspend: true,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 60,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 5,
    };
    expect(toldOf("CronJobObserved", added(cronJob(spec)))[0]).toMatchObject(spec);
  });

  it("is observed with its labels and annotations for Outlive, and no others", () => {
    const { metadata } = cronJob();
    const labels = { team: "secret", "outlive.dev/tier": "1" };
    const annotations = { note: "secret", "outlive.dev/notify": "team-a" };
    const observed = added(cronJob({}, { metadata: { ...metadata, labels, annotations } }));
    expect(toldOf("CronJobObserved", observed)).toMatchObject([
      { marks: { "outlive.dev/tier": "1", "outlive.dev/notify": "team-a" } },
    ]);
    expect(JSON.stringify(toldOf("CronJobObserved", observed))).not.toContain("secret");
  });

  it("is read of batch/v1beta1 too, which 1.20 serves, and of no other API", () => {
    expect(kindsOf(added(cronJob({}, { apiVersion: "batch/v1beta1" })))).toEqual(["CronJobObserved"]);
    expect(translate(added(cronJob({}, { apiVersion: "example.com/v1" }))).outcome).toBe("ignored");
  });

  it("is deleted by a DELETED event", () => {
    expect(toldOf("CronJobDeleted", deleted(cronJob()))).toEqual([
      { namespace: "night", name: "nightly", cronJobUid: "c1" },
    ]);
  });
});
