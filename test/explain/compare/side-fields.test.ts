import { describe, expect, it } from "vitest";
import {
  findingFields,
  labelFields,
  orNone,
  outcomeFields,
  seconds,
  setOf,
  unknownKinds,
} from "../../../src/explain/compare/side-fields.ts";

describe("the fields of a side", () => {
  it("have durations in seconds, never below 0", () => {
    expect([...seconds("whole", 1_500), ...seconds("waiting", -1)].map(({ value }) => value)).toMatchObject([
      { value: 1.5 },
      { value: 0 },
    ]);
    expect([seconds("whole", undefined), orNone("reason", undefined)]).toEqual([[], []]);
  });

  it("have sorted sets, and none for an empty one", () => {
    expect([setOf(["b", "a", "b"]), setOf([])]).toEqual([["a", "b"], undefined]);
  });

  it("have the cause by its category, with its words", () => {
    const verdict = { state: "Failed", final: true, basis: "reported" } as const;
    const cause = { category: "oom", message: "OOMKilled", attempts: 1, counted: 1, evidence: [] } as const;
    const fields = outcomeFields({ verdict, cause: { ...cause, responsible: "limit", retry: "more-memory" } });
    expect(fields.map(({ kind }) => kind)).toEqual(["state", "cause"]);
    expect(fields[1]?.value).toEqual({ is: "known", value: "oom", text: "OOMKilled" });
  });

  it("have a finding by its kind", () => {
    expect(findingFields([{ kind: "LimitReached", message: "It failed.", evidence: [] }])).toMatchObject([
      { kind: "finding", key: "LimitReached", value: { text: "It failed." } },
    ]);
  });

  it("have labels without names, and without the place in a JobSet", () => {
    const labels = { app: "a", uid: "u-1", "jobset.sigs.k8s.io/job-index": "3" };
    expect(labelFields(labels, new Set(["u-1"])).map(({ key }) => key)).toEqual(["app"]);
  });

  it("know of which kinds they lack values", () => {
    expect([...unknownKinds({ image: "notRecorded", spec: undefined })]).toEqual([["image", "notRecorded"]]);
  });
});
