import { describe, expect, it } from "vitest";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { watchedCronJob } from "../../../src/parents/cron-job/cron-job.ts";
import type { ParentFields, ParentObject } from "../../../src/parents/parent-kind.ts";

const AT = Date.UTC(2026, 0, 1);
const resourceVersion = decodeResourceVersion("7");
if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
const stamp = { epoch: 0, resourceVersion, at: AT };

/** An object whose fields all have the same value. */
function fieldsOf(text: string | undefined, number: number | undefined): ParentFields {
  return { text: () => text, count: () => number, instant: () => number, isTrue: () => number !== undefined };
}

function objectOf(fields: ParentFields): ParentObject {
  const name = { namespace: "night", name: "nightly", uid: "c1" };
  return { ...name, createdAt: undefined, generation: 2, spec: fields, status: fields };
}

describe("an observation of a CronJob", () => {
  it("has each field that its facts may have", () => {
    const fact = watchedCronJob.observed(objectOf(fieldsOf("text", 3)), stamp);
    const { epoch: _, resourceVersion: __, at: ___, kind, ...own } = fact;
    expect(kind).toBe("CronJobObserved");
    expect(Object.keys(own).sort()).toEqual(Object.keys(watchedCronJob.facts.CronJobObserved).sort());
  });

  it("has defaults for required fields, and no optional field, of an empty object", () => {
    expect(watchedCronJob.observed(objectOf(fieldsOf(undefined, undefined)), stamp)).toEqual({
      ...stamp,
      kind: "CronJobObserved",
      namespace: "night",
      name: "nightly",
      cronJobUid: "c1",
      createdAt: AT,
      generation: 2,
      schedule: "",
      suspend: false,
      concurrencyPolicy: "Allow",
    });
  });

  it("keeps in a recording each field that it reads", () => {
    const read: string[] = [];
    const noted = (field: string): undefined => void read.push(field);
    const fields = { text: noted, count: noted, instant: noted, isTrue: (field: string) => read.push(field) > 0 };
    watchedCronJob.observed(objectOf(fields), stamp);
    const kept = Object.values(watchedCronJob.kept).flatMap((fields) => Object.keys(fields));
    expect(kept.sort()).toEqual(read.sort());
  });
});
