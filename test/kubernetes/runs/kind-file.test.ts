import { describe, expect, it } from "vitest";
import { readKindFile } from "../../../src/kubernetes/runs/kind-file.ts";

const experiment = {
  kind: "Experiment",
  resource: "experiments.acme.io",
  when: ["acme.io/experiment"],
  name: "acme.io/experiment",
  uid: "acme.io/experiment-uid",
};
const sweep = { kind: "Sweep", when: ["acme.io/sweep"], ids: { "acme/sweep": "acme.io/sweep" } };
const problemsOf = (document: unknown): readonly string[] => {
  const read = readKindFile(typeof document === "string" ? document : JSON.stringify(document));
  return read.outcome === "read" ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`);
};

describe("a file of kinds", () => {
  it("has kinds and every key that they read", () => {
    const series = { kind: "Study", name: { key: "acme.io/study" } };
    const read = readKindFile(JSON.stringify([{ ...experiment, part: { key: "acme.io/part" }, series }, sweep]));
    expect(read).toMatchObject({ outcome: "read", content: { kinds: [{ ...experiment, role: "run" }, sweep] } });
    if (read.outcome !== "read") return;
    expect([...read.content.keys].sort()).toEqual([
      "acme.io/experiment",
      "acme.io/experiment-uid",
      "acme.io/part",
      "acme.io/study",
      "acme.io/sweep",
    ]);
  });

  it("may be YAML", () => {
    const text =
      "- kind: Sweep\n  when: [acme.io/sweep]\n  ids:\n    acme/sweep: { key: acme.io/sweep, before: '-' }\n";
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ["a file that is no list", { kinds: [] }, ": Expected a list of kinds."],
    ["YAML that cannot be parsed", "- kind: [", ": Invalid YAML"],
    ["an entry without a kind", [{ when: ["a"] }], "[0].kind: Missing."],
    ["an entry that is a text", [sweep, "Sweep"], "[1]: Expected keys with values"],
    ["a field that does not exist", [{ ...sweep, labels: {} }], "[0].labels: Unknown key. Valid keys: kind, "],
    [
      "a field of a part that does not exist",
      [{ ...experiment, part: { label: "a" } }],
      "[0].part: Expected { key: KEY } or { word: WORD }.",
    ],
    ["a kind that is built in", [{ ...sweep, kind: "JobSet" }], "[0].kind: This kind is built in."],
    ["a series that is built in", [{ ...sweep, kind: "CronJob" }], "[0].kind: This kind is built in."],
    ["a name that is no kind", [{ ...sweep, kind: "acme.io/sweep" }], "[0].kind: Expected the name of a kind"],
    ["a kind twice", [sweep, sweep], "[1].kind: Sweep is in the list twice."],
    ["a resource without a group", [{ ...experiment, resource: "experiments" }], "[0].resource: Expected PLURAL.GROUP"],
    ["a role of no kind", [{ ...sweep, role: "owner" }], "[0].role: Expected run or series."],
    ["no key", [{ ...sweep, when: [] }], "[0].when"],
    ["a key that no label has", [{ ...sweep, when: ["outlive:kinds"] }], "[0].when[0]: Expected a key of a label"],
    ["a key that is a number", [{ ...experiment, uid: 3 }], "[0].uid: Expected a key of a label or annotation."],
    [
      "an id without its system",
      [{ ...sweep, ids: { sweep: "acme.io/sweep" } }],
      "[0].ids.sweep: Expected SYSTEM/NAME",
    ],
    ["an id of a built-in kind", [{ ...sweep, ids: { "dagster/x": "acme.io/sweep" } }], "[0].ids.dagster/x: Expected"],
    ["a kind without a name", [{ kind: "Sweep", when: ["a"] }], "[0].ids: Expected a first id whose key is in when"],
    [
      "a name that only some of the Jobs have",
      [{ ...sweep, ids: { "acme/other": "acme.io/other" } }],
      "[0].ids: Expected a first id whose key is in when",
    ],
    ["an object without a name", [{ ...experiment, name: undefined }], "[0].name: Missing: a kind with a resource"],
    ["a name of no object", [{ ...sweep, name: "acme.io/sweep" }], "[0].resource: Missing: name, uid and part"],
    ["a series of no object", [{ ...sweep, role: "series" }], "[0].resource: Missing: a series without an object"],
    ["false where only true is", [{ ...sweep, alone: false }], "[0].alone: Expected true, or no such field."],
    ["too many kinds", Array.from({ length: 33 }, (_, n) => ({ ...sweep, kind: `S${n}` })), ": Expected at most 32"],
    ["a key that no label has", [{ ...sweep, when: ["__proto__"] }], "[0].when[0]: Expected a key of a label"],
    [
      "an id with the name of a method",
      [{ ...sweep, ids: { ...sweep.ids, constructor: "acme.io/sweep" } }],
      "[0].ids: Expected SYSTEM/NAME",
    ],
    [
      "too many ids",
      [{ ...sweep, ids: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`acme/${n}x`, "acme.io/sweep"])) }],
      "[0].ids: Expected at most 8 ids.",
    ],
  ])("is refused with its problem: %s", (_, document, problem) => {
    const [first] = problemsOf(document);
    expect(first).toContain(problem);
  });
});
