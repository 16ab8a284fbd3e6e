import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DELETIONS_PATTERN } from "../../../lib/audit-logs/deletions-pattern.ts";
import { translateHintMessage } from "../../../src/kubernetes/translate/translate-hint-message.ts";
import { matchesPattern } from "../../support/aws/filter-pattern.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);
const records = readdirSync(EXAMPLES)
  .filter((file) => file.includes(".audit."))
  .flatMap((file) =>
    gunzipSync(readFileSync(new URL(file, EXAMPLES)))
      .toString()
      .trim()
      .split("\n"),
  );

function altered(change: (event: Record<string, unknown>) => unknown): string {
  return JSON.stringify(change(JSON.parse(records[0] ?? "") as Record<string, unknown>));
}

describe("the pattern of the subscription", () => {
  it("matches each audit event that becomes a fact", () => {
    const facts = records.filter((record) => (translateHintMessage(record)?.facts.length ?? 0) > 0);
    expect(facts.length).toBeGreaterThan(100);
    expect(facts.filter((record) => !matchesPattern(DELETIONS_PATTERN, record))).toEqual([]);
  });

  it("matches an eviction", () => {
    const objectRef = { resource: "pods", namespace: "night", name: "report", subresource: "eviction" };
    const eviction = altered((event) => ({ ...event, verb: "create", objectRef }));
    expect(translateHintMessage(eviction)?.facts).toHaveLength(1);
    expect(matchesPattern(DELETIONS_PATTERN, eviction)).toBe(true);
  });

  it("matches the deletion of a JobSet", () => {
    const objectRef = { resource: "jobsets", apiGroup: "jobset.x-k8s.io", namespace: "night", name: "train" };
    const deletion = altered((event) => ({ ...event, verb: "delete", objectRef }));
    expect(translateHintMessage(deletion)?.facts).toHaveLength(1);
    expect(matchesPattern(DELETIONS_PATTERN, deletion)).toBe(true);
  });

  it.each([
    ["another stage", altered((event) => ({ ...event, stage: "RequestReceived" }))],
    ["another verb", altered((event) => ({ ...event, verb: "update" }))],
    ["another resource", altered((event) => ({ ...event, objectRef: { resource: "secrets" } }))],
    ["something else than an audit event", JSON.stringify({ level: "info", verb: "delete" })],
  ])("does not match %s", (_, message) => {
    expect(matchesPattern(DELETIONS_PATTERN, message)).toBe(false);
  });

  it("has at most 1,024 characters, which is what CloudWatch Logs accepts", () => {
    expect(DELETIONS_PATTERN.length).toBeLessThanOrEqual(1_024);
  });
});
