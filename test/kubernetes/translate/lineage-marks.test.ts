import { describe, expect, it } from "vitest";
import { MAX_MARK_BYTES } from "../../../src/kubernetes/translate/bounds.ts";
import { ADDED_KINDS_MARK, kindsInMark } from "../../../src/parents/added-kinds-mark.ts";
import { addedKinds } from "../../../src/parents/kinds.ts";
import { lineageKeys, marksOf, ownKeys } from "../../../src/kubernetes/translate/lineage-marks.ts";

const hook = { "helm.sh/hook": "pre-upgrade" };

describe("the marks of a Job", () => {
  it("are absent for a Job that belongs to nothing", () => {
    const metadata = { labels: { app: "report" }, annotations: { note: "secret" } };
    expect(
      marksOf({ metadata, template: { metadata: { labels: { dag_id: "etl" } } }, labels: { app: "report" } }),
    ).toBeUndefined();
  });

  it("are the annotations that name what it belongs to, and no others", () => {
    const metadata = { annotations: { ...hook, "helm.sh/hook-weight": "0", note: "secret" } };
    expect(marksOf({ metadata, labels: {} })).toEqual(hook);
  });

  it("include the annotations for Outlive, the first eight, after all others", () => {
    const route = { "outlive.dev/notify": "team-a, team-b" };
    const annotations = { ...route, ...hook, note: "secret", "not-outlive.dev/a": "secret" };
    expect(marksOf({ metadata: { annotations }, labels: {} })).toEqual({ ...hook, ...route });
    expect(marksOf({ metadata: { annotations: route }, labels: { "outlive.dev/notify": "label" } })).toBeUndefined();
    const many = Object.fromEntries("abcdefghij".split("").map((name) => [`outlive.dev/${name}`, "x"]));
    expect(Object.keys(ownKeys({ annotations: many })).map((key) => key.at(-1))).toEqual("abcdefgh".split(""));
    const long = Object.fromEntries(Object.keys(many).map((key) => [key, "x".repeat(5_000)]));
    const marks = marksOf({ metadata: { annotations: { ...long, ...hook } }, labels: {} }) ?? {};
    expect(JSON.stringify(marks).length).toBeLessThan(MAX_MARK_BYTES);
    expect(marks).toMatchObject(hook);
  });

  it("repeat no label that is kept", () => {
    const labels = { "app.kubernetes.io/instance": "shop" };
    expect(marksOf({ metadata: { labels, annotations: hook }, labels })).toEqual(hook);
    expect(marksOf({ metadata: { labels, annotations: hook }, labels: {} })).toEqual({ ...labels, ...hook });
  });

  it("include those of the Pod template, which Airflow sets there only", () => {
    const labels = { dag_id: "etl", task_id: "load", run_id: "r-0000-hash" };
    const template = { metadata: { labels, annotations: { run_id: "scheduled__2026-01-01T00:00:00+00:00" } } };
    expect(marksOf({ metadata: {}, template, labels: {} })).toEqual(labels);
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
    const marks = marksOf({ metadata: { labels }, labels: {} }) ?? {};
    expect(JSON.stringify(marks).length).toBeLessThan(MAX_MARK_BYTES);
    expect(Object.values(marks).every((value) => value.length <= 256)).toBe(true);
  });

  it.each([[{ labels: null }], [{ labels: { dag_id: 3 } }], [{ annotations: [] }], [{}]])(
    "ignore what has another type: %j",
    (metadata) => {
      expect(marksOf({ metadata, template: { metadata }, labels: {} })).toBeUndefined();
    },
  );
});

describe("the mark of the kinds that users have added", () => {
  const added = addedKinds([
    {
      kind: "Sweep",
      role: "run",
      when: ["acme.io/sweep"],
      ids: { "acme/sweep": "acme.io/sweep", "acme/n": "acme.io/n" },
    },
  ]);
  const sweep = { "acme.io/sweep": "s-1" };
  const mark = JSON.stringify([{ kind: "Sweep", work: "s-1", ids: { "acme/sweep": "s-1" } }]);

  it.each([
    ["a label, which it repeats", { metadata: { labels: sweep }, labels: sweep }],
    ["an annotation", { metadata: { annotations: sweep }, labels: {} }],
    ["the Pod template", { metadata: {}, template: { metadata: { labels: sweep } }, labels: {} }],
  ])("has what they say by %s", (_, marked) => {
    expect(marksOf(marked, added)).toEqual({ [ADDED_KINDS_MARK]: mark });
  });

  it("is beside those of built-in kinds", () => {
    const metadata = { annotations: { ...sweep, ...hook } };
    expect(marksOf({ metadata, labels: {} }, added)).toEqual({ [ADDED_KINDS_MARK]: mark, ...hook });
  });

  it("is absent without them, and for a Job that belongs to none of them", () => {
    expect(marksOf({ metadata: { labels: sweep }, labels: sweep })).toBeUndefined();
    expect(marksOf({ metadata: { labels: { "acme.io/n": "1" } }, labels: {} }, added)).toBeUndefined();
  });

  it("is not what a Job claims by its key", () => {
    const forged = { [ADDED_KINDS_MARK]: mark };
    const template = { metadata: { labels: forged, annotations: forged } };
    const metadata = { labels: forged, annotations: { ...forged, ...hook } };
    expect(marksOf({ metadata, template, labels: forged }, added)).toEqual(hook);
  });

  it("has a bound, within that of all marks", () => {
    const long = "é".repeat(5_000);
    const ids = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`acme/id-${n}`, `acme.io/${n}`]));
    const many = addedKinds([{ kind: "Sweep", role: "run", when: ["acme.io/0"], ids }]);
    const labels = Object.fromEntries([...many.keys, "dagster/run-id", "dagster/job"].map((key) => [key, long]));
    const marks = marksOf({ metadata: { labels }, labels: {} }, many) ?? {};
    expect(Buffer.byteLength(marks[ADDED_KINDS_MARK] ?? "")).toBeLessThanOrEqual(1024);
    expect(kindsInMark(marks[ADDED_KINDS_MARK])).toMatchObject([
      { kind: "Sweep", ids: { "acme/id-0": expect.any(String) as string } },
    ]);
    const bytes = Object.entries(marks)
      .flat()
      .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThanOrEqual(MAX_MARK_BYTES);
    expect(marks).toHaveProperty("dagster/job");
  });
});
