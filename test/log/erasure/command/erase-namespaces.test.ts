import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namespaceKey } from "../../../../src/ports/meta-key.ts";
import { HOUR, startedJob } from "../../../support/archive/archive-scene.ts";
import {
  cluster,
  ERASED_AT,
  ErasureScene,
  NAMES,
  NAMESPACE,
  ofJob,
  ofNamespace,
  OTHERS,
} from "../../../support/erasure/erasure-scene.ts";

let scene: ErasureScene;
beforeEach(async () => {
  scene = new ErasureScene();
  await scene.fill();
});
afterEach(() => scene.remove());

const isRecorded = async () =>
  (await scene.tracker.meta.read("namespace", namespaceKey(cluster, NAMESPACE))) !== undefined;

describe("the record of a namespace", () => {
  it("is removed with its last Job, as the log requires", async () => {
    await scene.erase({ ...ofJob, name: OTHERS.sibling });
    expect(await isRecorded()).toBe(true);
    await scene.erase(ofJob);
    expect(await isRecorded()).toBe(false);
    expect(await scene.tracker.verify()).toMatchObject({ mismatches: [], records: [] });
  });

  it("stays if retention has deleted its Jobs and the log still names them", async () => {
    const now = ERASED_AT + 48 * HOUR;
    await scene.tracker.sweep({ now, freshMillis: 0 });
    expect(await scene.tracker.forget({ days: 1, now })).toMatchObject({ jobs: 3, logItems: 0 });
    await scene.erase(ofJob);
    expect(await isRecorded()).toBe(true);
    await scene.erase(ofNamespace);
    expect(await isRecorded()).toBe(false);
  });

  it("stays if a Job is newer than the erasure of the namespace", async () => {
    const newer = startedJob({ name: `${NAMES.job}-2`, namespace: NAMESPACE, createdAt: ERASED_AT + 1 });
    await scene.send(newer, ERASED_AT + HOUR);
    await scene.erase(ofNamespace);
    expect(await isRecorded()).toBe(true);
    expect(await scene.tracker.verify()).toMatchObject({ mismatches: [], records: [] });
  });
});
