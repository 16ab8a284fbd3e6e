import { describe, expect, it } from "vitest";
import { controllerOf, ownerOf } from "../../../src/kubernetes/translate/owner-reference.ts";

const JOB = { apiVersion: "batch/v1", kind: "Job", name: "nightly", uid: "job-1", controller: true };

describe("the controller of an object", () => {
  it("is the owner reference with `controller: true`", () => {
    const other = { kind: "Workflow", name: "w", uid: "w-1", controller: false };
    expect(controllerOf({ ownerReferences: [other, JOB] })).toEqual(JOB);
    expect(ownerOf({ ownerReferences: [other, JOB] })).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      name: "nightly",
      uid: "job-1",
    });
  });

  it("has no API version if it is a CronJob, as most are", () => {
    const owner = { apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid: "c-1", controller: true };
    expect(ownerOf({ ownerReferences: [owner] })).toEqual({ kind: "CronJob", name: "nightly", uid: "c-1" });
  });

  it.each([
    ["no references", {}],
    ["only references without the flag", { ownerReferences: [{ ...JOB, controller: undefined }] }],
    ["references that are no list", { ownerReferences: JOB }],
  ])("is absent with %s", (_, metadata) => {
    expect(controllerOf(metadata)).toBeUndefined();
    expect(ownerOf(metadata)).toBeUndefined();
  });

  it.each(["kind", "name", "uid"])("is no owner without a %s", (field) => {
    expect(ownerOf({ ownerReferences: [{ ...JOB, [field]: "" }] })).toBeUndefined();
  });
});
