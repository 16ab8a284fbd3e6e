import { describe, expect, it } from "vitest";
import {
  type FunctionName,
  readFunctionSettings,
} from "../../../../src/ports/deployment/settings/function-settings.ts";
import { configurationError, ENVIRONMENT } from "./function-environment.ts";

function problemIn(name: FunctionName, variables: Readonly<Record<string, string>>): string {
  return configurationError(() => readFunctionSettings(name, { ...ENVIRONMENT, ...variables }));
}

describe("a variable", () => {
  it.each([
    ["OUTLIVE_LOG_TABLE", "a table", "is not a table name"],
    ["OUTLIVE_META_TABLE", "x", "is not a table name"],
    ["OUTLIVE_RETENTION_DAYS", "0", "a whole number of at least 1"],
    ["OUTLIVE_RETENTION_DAYS", "4e2", "a whole number of at least 1"],
    ["OUTLIVE_OPEN_MODE", "yes", 'Set it to "true" or "false"'],
    ["OUTLIVE_SET_ASIDE_BUCKET", "My Bucket", "is not a bucket name"],
    ["OUTLIVE_PACK_SHARDS", "0", "a whole number of at least 1"],
    ["OUTLIVE_PACK_SHARDS", "65", "at most 64"],
    ["OUTLIVE_STAGE", "pro d", "is not a stage name"],
    ["OUTLIVE_SEGMENT_QUEUE_URL", "segments", "is not a URL"],
    ["AWS_ENDPOINT_URL", "emulator", "is not a URL"],
  ])("%s cannot be %s", (variable, value, problem) => {
    const message = problemIn("ingest", { [variable]: value });
    expect(message).toMatch(new RegExp(`^${variable} is "${value}"[.,].*\\.$`));
    expect(message).toContain(problem);
  });

  it("is one of several words", () => {
    expect(problemIn("project", { OUTLIVE_PROJECTOR: "second" })).toBe(
      'OUTLIVE_PROJECTOR is "second". Set it to "live" or "trial".',
    );
    expect(problemIn("count", { OUTLIVE_JOB_METRICS: "" })).toBe(
      'OUTLIVE_JOB_METRICS is not set. Set it to "none", "stage" or "cluster".',
    );
  });

  it("has the versions of both projectors", () => {
    expect(problemIn("replay", { OUTLIVE_KEPT_PROJECTORS: "latest" })).toBe(
      'OUTLIVE_KEPT_PROJECTORS is "latest". Set it to the versions of project and refold, such as "12,9".',
    );
  });

  it("has the queue of an emulator", () => {
    const queue = "http://127.0.0.1:4566/000000000000/refold";
    const variables = { ...ENVIRONMENT, OUTLIVE_REFOLD_QUEUE_URL: queue };
    expect(readFunctionSettings("project", variables).refoldQueueUrl).toBe(queue);
  });

  it.each(["", "{", '{"hook":1}', '{"hook":"nowhere"}'])("has the queue of each receiver, not %j", (text) => {
    expect(problemIn("notify", { OUTLIVE_DELIVERY_QUEUES: text })).toMatch(/^OUTLIVE_DELIVERY_QUEUES is not .*JSON/);
  });

  it.each(["7", "{", '{"/aws/eks/eu/cluster":7}', '{"/aws/eks/eu/cluster":"not/a cluster"}'])(
    "has the cluster of each log group, not %s",
    (text) => {
      expect(problemIn("audit-logs", { OUTLIVE_AUDIT_LOG_GROUPS: text })).toContain(
        "OUTLIVE_AUDIT_LOG_GROUPS is not the cluster of each log group. Set it to JSON such as",
      );
    },
  );
});
