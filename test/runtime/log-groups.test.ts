import { describe, expect, it } from "vitest";
import { readAuditLogsSettings, readIngestSettings } from "../../src/runtime/function-settings.ts";
import { configurationError, ENVIRONMENT } from "./environment.ts";

const QUEUE = "https://sqs.eu-central-1.amazonaws.com/123456789012/segments";
const GROUPS = '{"/aws/eks/eu/cluster":"eu"}';
const VARIABLES = { ...ENVIRONMENT, OUTLIVE_SEGMENT_QUEUE_URL: QUEUE, OUTLIVE_AUDIT_LOG_GROUPS: GROUPS };

describe("the log groups with audit logs", () => {
  it("have their clusters", () => {
    const { clusters, queueUrl } = readAuditLogsSettings(VARIABLES);
    expect([...clusters]).toEqual([["/aws/eks/eu/cluster", "eu"]]);
    expect(queueUrl).toBe(QUEUE);
  });

  it("tell ingest which clusters the function may send for", () => {
    const variables = { ...VARIABLES, OUTLIVE_AUDIT_LOGS_PRINCIPAL: "AROAEXAMPLE" };
    expect(readIngestSettings(variables).auditLogs).toEqual({
      principalId: "AROAEXAMPLE",
      clusters: new Set(["eu"]),
    });
    expect(readIngestSettings(VARIABLES).auditLogs).toBeUndefined();
  });

  it.each(["7", "{", '{"/aws/eks/eu/cluster":7}', '{"/aws/eks/eu/cluster":"not/a cluster"}'])(
    "are refused where they are %s",
    (OUTLIVE_AUDIT_LOG_GROUPS) => {
      expect(configurationError(() => readAuditLogsSettings({ ...VARIABLES, OUTLIVE_AUDIT_LOG_GROUPS }))).toContain(
        "OUTLIVE_AUDIT_LOG_GROUPS is not the cluster of each log group. Set it to JSON such as",
      );
    },
  );

  it("need a queue to send deletions to", () => {
    const { OUTLIVE_SEGMENT_QUEUE_URL: _, ...without } = VARIABLES;
    expect(configurationError(() => readAuditLogsSettings(without))).toContain("OUTLIVE_SEGMENT_QUEUE_URL is not set");
  });
});
