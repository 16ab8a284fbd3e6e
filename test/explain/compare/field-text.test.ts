import { describe, expect, it } from "vitest";
import type { FieldKind, FieldValue, SideValue } from "../../../src/explain/compare/compared-field.ts";
import { fieldTitle, sideText } from "../../../src/explain/compare/field-text.ts";

const known = (value: FieldValue, text?: string): SideValue => ({ is: "known", value, text });

describe("the text of a field", () => {
  it.each<readonly [FieldKind, string | undefined, string]>([
    ["state", undefined, "State"],
    ["request", "memory", "Request memory"],
    ["spec", "parallelism", "spec.parallelism"],
    ["label", "app", "Label app"],
  ])("of %s %s has the title %s", (kind, key, title) => {
    expect(fieldTitle({ kind, ...(key !== undefined && { key }) })).toBe(title);
  });

  it.each<readonly [FieldKind, string, SideValue, string]>([
    ["whole", "", known(245), "4 min 5 s"],
    ["attempts", "", known(3), "3"],
    ["request", "memory", known(["536870912"]), "512Mi"],
    ["request", "memory", known(["1610612736"]), "1536Mi"],
    ["request", "memory", known(["1000"]), "1000"],
    ["request", "memory", known(["0"]), "0"],
    ["request", "memory", known(["100m"]), "100m"],
    ["request", "ephemeral-storage", known(["2199023255552"]), "2Ti"],
    ["request", "cpu", known(["1024", "500m"]), "1024 and 500m"],
    ["resources", "", known("wbN"), "hash wbN"],
    ["node", "", known(["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more"],
    ["cause", "", known("oom", "OOMKilled: container work"), "OOMKilled: container work"],
    ["spec", "activeDeadlineSeconds", { is: "none" }, "not set"],
    ["finding", "Waiting", { is: "none" }, "none"],
    ["image", "", { is: "unknown", why: "notRecorded" }, "not recorded"],
    ["image", "work", known("0f9e8d7c6b5a"), "0f9e8d7c6b5a"],
    ["imageDigest", "", { is: "unknown", why: "expired" }, "not recorded any more"],
    ["node", "", { is: "unknown", why: "noPods" }, "no Pod was observed"],
  ])("of %s %s is for people", (kind, key, side, text) => {
    expect(sideText({ kind, key }, side)).toBe(text);
  });
});
