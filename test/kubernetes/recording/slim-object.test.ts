import { createReadStream } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fieldsOf, isObject, textOf } from "../../../src/kubernetes/json/json-field.ts";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import { addedKinds } from "../../../src/parents/kinds.ts";
import { slimObject } from "../../../src/kubernetes/recording/slim-object.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import { recordingFiles, recordingsFolder } from "../../support/recordings/real-recordings.ts";
import { jobObject, podObject } from "../../support/kubernetes/watch-objects.ts";

const recordings = recordingFiles().filter((file) => !file.includes(".audit."));

describe("a slim object", () => {
  it.each(recordings)("of %s has the same facts as the whole one", async (file) => {
    let compared = 0;
    for await (const recorded of readRecording(createReadStream(join(recordingsFolder, file)))) {
      if (!("event" in recorded) || !isObject(recorded.event)) continue;
      const { type } = recorded.event;
      const whole = fieldsOf(recorded.event["object"]);
      const slim = slimObject(textOf(whole["kind"]) ?? "", whole);
      if (slim === undefined) {
        expect(translate({ type, object: whole }).outcome).toBe("ignored");
        continue;
      }
      expect(translate({ type, object: slim })).toEqual(translate({ type, object: whole }));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(0);
  });

  it("has no environment, command, image, address, annotation or program's output of a Pod", () => {
    const work = {
      name: "work",
      image: "registry.example/secret-image:1",
      command: ["secret-command"],
      args: ["--secret-argument"],
      env: [{ name: "TOKEN", value: "secret-value" }],
    };
    const terminated = { exitCode: 1, message: "secret-output", containerID: "containerd://secret-id" };
    const pod = podObject({
      metadata: { annotations: { "example.com/note": "secret-note" }, managedFields: [{ manager: "secret-manager" }] },
      spec: {
        containers: [work],
        volumes: [{ secret: { secretName: "secret-volume" } }],
        serviceAccountName: "secret",
      },
      status: { podIP: "10.0.0.1", hostIP: "10.0.0.2", containerStatuses: [{ name: "work", state: { terminated } }] },
    });
    const text = JSON.stringify(slimObject("Pod", pod));
    expect(text).not.toContain("secret");
    expect(text).not.toContain("10.0.0.");
    expect(text).toContain(`"exitCode":1`);
  });

  it("has only those fields of a Job's template that facts contain", () => {
    const template = {
      metadata: { annotations: { note: "secret" } },
      spec: { restartPolicy: "Never", containers: [{ name: "work", env: [{ name: "A", value: "secret" }] }] },
    };
    const text = JSON.stringify(slimObject("Job", jobObject({ spec: { template } })));
    expect(text).not.toContain("secret");
    expect(text).toContain(`"restartPolicy":"Never"`);
  });

  it("of a Job has the same facts as the whole one, with the resources of its template", () => {
    const resources = { requests: { cpu: "1" }, limits: { memory: "1Gi" } };
    const initContainers = [{ name: "proxy", image: "proxy:1", restartPolicy: "Always", resources }];
    const containers = [{ name: "work", image: "work:1", resources }];
    const template = { spec: { restartPolicy: "Never", resources, containers, initContainers } };
    const job = jobObject({ spec: { template } });
    const whole = translate({ type: "MODIFIED", object: job });
    expect(translate({ type: "MODIFIED", object: slimObject("Job", job) ?? {} })).toEqual(whole);
    expect(JSON.stringify(whole)).toMatch(/"resources":"[\w-]{3}"/);
    expect(JSON.stringify(whole)).toContain('"images":[{"container":"proxy","image":"');
  });

  it("of a Pod has the digest of its images, without their names", () => {
    const imageID = `registry.example/secret@sha256:${"a1b2c3d4".repeat(8)}`;
    const status = { name: "work", image: "secret:1", imageID, state: { terminated: { exitCode: 0 } } };
    const pod = podObject({ status: { phase: "Succeeded", containerStatuses: [status] } });
    const slim = slimObject("Pod", pod) ?? {};
    expect(JSON.stringify(slim)).not.toContain("secret");
    expect(translate({ type: "MODIFIED", object: slim })).toEqual(translate({ type: "MODIFIED", object: pod }));
    expect(JSON.stringify(translate({ type: "MODIFIED", object: slim }))).toContain('"imageDigest":"a1b2c3d4a1b2"');
  });

  it("has the keys of added kinds, and no others", () => {
    const kinds = addedKinds([{ kind: "Sweep", role: "run", when: ["acme.io/sweep"] }]);
    const annotations = { "acme.io/sweep": "s-1", "acme.io/note": "secret" };
    const job = jobObject({ metadata: { annotations }, spec: { template: { metadata: { annotations } } } });
    const slim = slimObject("Job", job, { kinds });
    expect(slim).toMatchObject({
      metadata: { annotations: { "acme.io/sweep": "s-1" } },
      spec: { template: { metadata: { annotations: { "acme.io/sweep": "s-1" } } } },
    });
    expect(JSON.stringify(slim)).not.toContain("secret");
    expect(JSON.stringify(slimObject("Job", job))).not.toContain("s-1");
  });

  it("has the annotations for Outlive, but not those of the Pod template", () => {
    const annotations = { "outlive.dev/notify": "team-a", note: "secret" };
    const job = jobObject({ metadata: { annotations }, spec: { template: { metadata: { annotations } } } });
    const slim = JSON.stringify(slimObject("Job", job));
    expect(slim.match(/"annotations":\{[^}]+\}/g)).toEqual(['"annotations":{"outlive.dev/notify":"team-a"}']);
  });

  it("of a namespace has its keys for Outlive, and no other labels, annotations or fields", () => {
    const labels = { team: "secret", "outlive.dev/tier": "1" };
    const annotations = { note: "secret", "outlive.dev/notify": "team-a" };
    const metadata = { name: "payments", uid: "ns-1", resourceVersion: "41", labels, annotations };
    const object = { kind: "Namespace", apiVersion: "v1", metadata, status: { phase: "secret" } };
    const slim = slimObject("Namespace", object);
    expect(translate({ type: "DELETED", object: slim })).toEqual(translate({ type: "DELETED", object }));
    expect(JSON.stringify(slim)).not.toContain("secret");
  });

  it("of a CronJob has the same facts as the whole one", () => {
    const spec = {
      schedule: "0 1 * * *",
      timeZone: "Europe/Berlin",
      suspend: true,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 60,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 5,
      jobTemplate: { spec: { template: "secret" } },
    };
    const status = { lastScheduleTime: "2026-11-21T01:00:00Z", lastSuccessfulTime: "2026-11-21T01:05:00Z" };
    const metadata = { name: "nightly", namespace: "night", uid: "c1", resourceVersion: "41", generation: 2 };
    const object = { kind: "CronJob", apiVersion: "batch/v1", metadata, spec, status };
    const slim = slimObject("CronJob", object);
    expect(translate({ type: "DELETED", object: slim })).toEqual(translate({ type: "DELETED", object }));
    expect(JSON.stringify(slim)).not.toContain("secret");
  });

  it.each([
    ["JobSet", "jobset.x-k8s.io/v1alpha2", "jobset failed (first failed job: train-worker-1)", { restarts: 2 }],
    ["RayJob", "ray.io/v1", "secret", { jobId: "a", jobStatus: "FAILED", startTime: "2026-11-21T01:00:00Z" }],
    ["Workflow", "argoproj.io/v1alpha1", "secret", { startedAt: "2026-11-21T01:00:00Z" }],
    ["TrainJob", "trainer.kubeflow.org/v1alpha1", "secret", {}],
    [
      "Workload",
      "kueue.x-k8s.io/v1beta2",
      "secret: insufficient unused quota for cpu in flavor default, 2 more needed",
      { admission: { clusterQueue: "team", podSetAssignments: "secret" } },
    ],
  ])("of a %s has the same facts as the whole one", (kind, apiVersion, message, more) => {
    const condition = { type: "Failed", status: "True", reason: "R", message };
    const labels = { "workflows.argoproj.io/phase": "Failed", "jobset.sigs.k8s.io/jobset-name": "a" };
    const metadata = { name: "a", namespace: "ml", uid: "u1", resourceVersion: "41", labels };
    const spec = { queueName: "team-queue", template: "secret" };
    const object = { kind, apiVersion, metadata, spec, status: { ...more, secret: "secret", conditions: [condition] } };
    const slim = slimObject(kind, object);
    expect(translate({ type: "DELETED", object: slim })).toEqual(translate({ type: "DELETED", object }));
    expect(JSON.stringify(slim)).not.toContain("secret");
  });

  it("does not exist for a kind without facts", () => {
    expect(slimObject("Secret", { metadata: { name: "a" }, data: { key: "c2VjcmV0" } })).toBeUndefined();
  });
});
