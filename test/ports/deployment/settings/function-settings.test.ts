import { describe, expect, it } from "vitest";
import { readFunctionSettings } from "../../../../src/ports/deployment/settings/function-settings.ts";
import { configurationError, ENVIRONMENT } from "./function-environment.ts";

const PROJECTION = {
  jobs: { A: "outlive-jobs-a", B: "outlive-jobs-b" },
  runs: { A: "outlive-runs-a", B: "outlive-runs-b" },
  meta: "outlive-meta",
  retentionDays: 30,
};
const TABLES = { ...PROJECTION, log: "outlive-log" };
const TRACED = { log: TABLES.log, jobs: TABLES.jobs, runs: TABLES.runs };
const REFOLDS = ENVIRONMENT.OUTLIVE_REFOLD_QUEUE_URL;
const SEGMENTS = ENVIRONMENT.OUTLIVE_SEGMENT_QUEUE_URL;
const NOTIFICATIONS = {
  rulesFile: "rules.json",
  queueUrls: { hook: "https://sqs.eu-central-1.amazonaws.com/123456789012/hook" },
};
const WHOLE_LOG = { stage: "prod", tables: TABLES, archive: { bucket: "outlive-archive" } };

describe("the settings of a function", () => {
  it.each([
    [
      "ingest",
      {
        stage: "prod",
        tables: { log: "outlive-log", meta: "outlive-meta", retentionDays: 30 },
        queueUrl: SEGMENTS,
        setAsideBucket: "outlive-set-aside",
        packShards: 4,
        open: true,
      },
    ],
    ["audit-logs", { stage: "prod", clusters: new Map([["/aws/eks/eu/cluster", "eu"]]), queueUrl: SEGMENTS }],
    ["project", { stage: "prod", tables: PROJECTION, refoldQueueUrl: REFOLDS, projector: "live" }],
    ["refold", { ...WHOLE_LOG, projector: "live" }],
    ["audit", { ...WHOLE_LOG, refoldQueueUrl: REFOLDS }],
    ["replay", { ...WHOLE_LOG, kept: undefined, partialStates: { bucket: "outlive-replay", endpoint: undefined } }],
    ["sweep", { stage: "prod", tables: PROJECTION }],
    ["query", { ...WHOLE_LOG, readers: { kind: "open" } }],
    ["acknowledge", { stage: "prod", tables: TABLES, readers: { kind: "open" } }],
    ["archive", WHOLE_LOG],
    ["retain", { stage: "prod", tables: TABLES }],
    ["notify", { stage: "prod", tables: TABLES, ...NOTIFICATIONS }],
    [
      "deliver",
      { stage: "prod", tables: { meta: "outlive-meta", retentionDays: 30 }, traced: TRACED, ...NOTIFICATIONS },
    ],
    ["count", { stage: "prod", tables: PROJECTION, metrics: { maxSeries: 10_000, by: "stage" } }],
    ["page", { stage: "prod", readers: { kind: "open" } }],
  ] as const)("%s are the values of its variables", (name, settings) => {
    expect(readFunctionSettings(name, ENVIRONMENT)).toEqual(settings);
  });

  it.each([
    ["ingest", "LOG_TABLE META_TABLE RETENTION_DAYS SEGMENT_QUEUE_URL SET_ASIDE_BUCKET PACK_SHARDS"],
    ["project", "JOBS_TABLE_A JOBS_TABLE_B RUNS_TABLE_A RUNS_TABLE_B META_TABLE RETENTION_DAYS REFOLD_QUEUE_URL"],
    ["query", "LOG_TABLE META_TABLE JOBS_TABLE_A JOBS_TABLE_B RUNS_TABLE_A RUNS_TABLE_B RETENTION_DAYS"],
    [
      "archive",
      "LOG_TABLE META_TABLE JOBS_TABLE_A JOBS_TABLE_B RUNS_TABLE_A RUNS_TABLE_B RETENTION_DAYS ARCHIVE_BUCKET",
    ],
    ["audit-logs", "AUDIT_LOG_GROUPS SEGMENT_QUEUE_URL"],
  ] as const)("%s name every unset variable, and no other", (name, unset) => {
    const lines = configurationError(() => readFunctionSettings(name, {})).split("\n");
    const variables = new Set(lines.map((line) => line.split(" ")[0]));
    const expected = ["OUTLIVE_STAGE", ...unset.split(" ").map((each) => `OUTLIVE_${each}`)];
    expect(variables).toEqual(new Set(expected));
    expect(lines).toHaveLength(expected.length);
    for (const line of lines) expect(line).toMatch(/^OUTLIVE_\w+ is not set\. Set it to .+\.$/);
  });

  it("say what to set", () => {
    const { OUTLIVE_LOG_TABLE: _, ...without } = ENVIRONMENT;
    expect(configurationError(() => readFunctionSettings("ingest", without))).toBe(
      "OUTLIVE_LOG_TABLE is not set. Set it to the name of the log table; the outputs of the stack list the tables.",
    );
  });

  it("are, during a trial, the part of the projector, the versions that are kept, and both queues", () => {
    const trial = "https://sqs.eu-central-1.amazonaws.com/123456789012/trial";
    const variables = {
      ...ENVIRONMENT,
      OUTLIVE_PROJECTOR: "trial",
      OUTLIVE_KEPT_PROJECTORS: "12,9",
      OUTLIVE_TRIAL_REFOLD_QUEUE_URL: trial,
    };
    expect(readFunctionSettings("project", variables)).toMatchObject({ projector: "trial" });
    expect(readFunctionSettings("replay", variables)).toMatchObject({ kept: { project: "12", refold: "9" } });
    expect(readFunctionSettings("audit", variables)).toMatchObject({
      refoldQueueUrl: REFOLDS,
      trialRefoldQueueUrl: trial,
    });
  });

  it("are without an archive where there is none, and reach that of an emulator", () => {
    const { OUTLIVE_ARCHIVE_BUCKET: bucket, ...without } = ENVIRONMENT;
    expect(readFunctionSettings("query", without).archive).toBeUndefined();
    const emulator = { ...ENVIRONMENT, AWS_ENDPOINT_URL: "http://127.0.0.1:4566" };
    expect(readFunctionSettings("query", emulator).archive).toEqual({ bucket, endpoint: "http://127.0.0.1:4566" });
    const ofS3 = { ...emulator, AWS_ENDPOINT_URL_S3: "http://127.0.0.1:4567" };
    expect(readFunctionSettings("archive", ofS3).archive.endpoint).toBe("http://127.0.0.1:4567");
  });

  it("tell ingest which clusters the function of audit logs may send for", () => {
    const variables = { ...ENVIRONMENT, OUTLIVE_AUDIT_LOGS_PRINCIPAL: "AROAEXAMPLE" };
    expect(readFunctionSettings("ingest", variables).auditLogs).toEqual({
      principalId: "AROAEXAMPLE",
      clusters: new Set(["eu"]),
    });
  });

  it("name no Jobs to the function that sends if it sends no traces", () => {
    const { OUTLIVE_LOG_TABLE: _, ...variables } = ENVIRONMENT;
    expect(readFunctionSettings("deliver", variables).traced).toBeUndefined();
  });

  it("name the secret of the receivers", () => {
    const variables = { ...ENVIRONMENT, OUTLIVE_RULES_SECRET: "arn:s" };
    expect(readFunctionSettings("deliver", variables)).toMatchObject({ secret: "arn:s" });
  });
});
