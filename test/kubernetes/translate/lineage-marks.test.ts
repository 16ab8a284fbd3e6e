import { describe, expect, it } from "vitest";
import { MAX_MARK_BYTES } from "../../../src/kubernetes/translate/bounds.ts";
import { lineageKeys, marksOf } from "../../../src/kubernetes/translate/lineage-marks.ts";

const hook = { "helm.sh/hook": "pre-upgrade" };

describe("the marks of a Job", () => {
  it("are absent for a Job that belongs to nothing", () => {
    const metadata = { labels: { app: "report" }, annotations: { note: "secret" } };
    expect(marksOf(metadata, { metadata: { labels: { dag_id: "etl" } } }, { app: "report" })).toBeUndefined();
  });

  it("are the annotations that name what it belongs to, and no others", () => {
    const metadata = { annotations: { ...hook, "helm.sh/hook-weight": "0", note: "secret" } };
    expect(marksOf(metadata, {}, {})).toEqual(hook);
  });

  it("repeat no label that is kept", () => {
    const labels = { "app.kubernetes.io/instance": "shop" };
    expect(marksOf({ labels, annotations: hook }, {}, labels)).toEqual(hook);
    expect(marksOf({ labels, annotations: hook }, {}, {})).toEqual({ ...labels, ...hook });
  });

  it("include those of the Pod template, which Airflow sets there only", () => {
    const labels = { dag_id: "etl", task_id: "load", run_id: "r-0000-hash" };
    const template = { metadata: { labels, annotations: { run_id: "scheduled__2026-01-01T00:00:00+00:00" } } };
    expect(marksOf({}, template, {})).toEqual(labels);
  });

  it("take a label before an annotation", () => {
    expect(lineageKeys({ labels: { dag_id: "label" }, annotations: { dag_id: "annotation", other: "x" } })).toEqual({
      dag_id: "label",
    });
  });

  it("have a bound", () => {
    const long = "x".repeat(5_000);
    const labels = Object.fromEntries(
      ["dagster/run-id", "dagster/job", "dagster/op", "dagster/partition"].map((key) => [key, long]),
    );
    const marks = marksOf({ labels }, {}, {}) ?? {};
    expect(JSON.stringify(marks).length).toBeLessThan(MAX_MARK_BYTES);
    expect(Object.values(marks).every((value) => value.length <= 256)).toBe(true);
  });

  it.each([[{ labels: null }], [{ labels: { dag_id: 3 } }], [{ annotations: [] }], [{}]])(
    "ignore what has another type: %j",
    (metadata) => {
      expect(marksOf(metadata, { metadata }, {})).toBeUndefined();
    },
  );
});
