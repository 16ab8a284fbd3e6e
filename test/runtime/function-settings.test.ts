import { describe, expect, it } from "vitest";
import {
  readArchiveSettings,
  readAuditSettings,
  readDeliverSettings,
  readIngestSettings,
  readNotifySettings,
  readProjectSettings,
  readQuerySettings,
  readRefoldSettings,
  readReplaySettings,
  readSweepSettings,
} from "../../src/runtime/function-settings.ts";
import { ConfigurationError } from "../../src/runtime/read-variables.ts";
import { configurationError, ENVIRONMENT } from "./environment.ts";

const TABLES = {
  log: "outlive-log",
  jobs: { A: "outlive-jobs-a", B: "outlive-jobs-b" },
  meta: "outlive-meta",
  retentionDays: 30,
};
const PROJECTION = { jobs: TABLES.jobs, meta: TABLES.meta, retentionDays: 30 };

const READERS = {
  ingest: readIngestSettings,
  project: readProjectSettings,
  sweep: readSweepSettings,
  query: readQuerySettings,
};

const ARCHIVED = { archive: { bucket: "outlive-archive" } };

describe("the settings of a function", () => {
  it("are the values of its variables", () => {
    const queue = ENVIRONMENT.OUTLIVE_REFOLD_QUEUE_URL;
    const { log, meta, retentionDays } = TABLES;
    expect(readIngestSettings(ENVIRONMENT)).toEqual({
      stage: "prod",
      tables: { log, meta, retentionDays },
      setAsideBucket: "outlive-set-aside",
      open: true,
      packShards: 4,
    });
    const project = { stage: "prod", tables: PROJECTION, refoldQueueUrl: queue, projector: "live" };
    expect(readProjectSettings(ENVIRONMENT)).toEqual(project);
    expect(readRefoldSettings(ENVIRONMENT)).toEqual({
      stage: "prod",
      tables: TABLES,
      ...ARCHIVED,
      projector: "live",
    });
    expect(readAuditSettings(ENVIRONMENT)).toEqual({
      stage: "prod",
      tables: TABLES,
      ...ARCHIVED,
      refoldQueueUrls: [queue],
    });
    expect(readReplaySettings(ENVIRONMENT)).toEqual({ stage: "prod", tables: TABLES, ...ARCHIVED });
    expect(readArchiveSettings(ENVIRONMENT)).toEqual({ stage: "prod", tables: TABLES, bucket: "outlive-archive" });
    expect(readArchiveSettings({ ...ENVIRONMENT, AWS_ENDPOINT_URL: "http://127.0.0.1:4566" })).toMatchObject({
      endpoint: "http://127.0.0.1:4566",
    });
    const ofS3 = { AWS_ENDPOINT_URL: "http://127.0.0.1:4566", AWS_ENDPOINT_URL_S3: "http://127.0.0.1:4567" };
    expect(readArchiveSettings({ ...ENVIRONMENT, ...ofS3 })).toMatchObject({ endpoint: "http://127.0.0.1:4567" });
    expect(readSweepSettings(ENVIRONMENT)).toEqual({ stage: "prod", tables: PROJECTION });
    expect(readQuerySettings(ENVIRONMENT)).toEqual({
      stage: "prod",
      tables: TABLES,
      ...ARCHIVED,
      readers: { kind: "open" },
      readerRequestsPerSecond: 20,
    });
  });

  it("are, during a trial, the part of the projector, the versions that are kept, and both queues", () => {
    expect(readProjectSettings({ ...ENVIRONMENT, OUTLIVE_PROJECTOR: "trial" })).toMatchObject({ projector: "trial" });
    expect(readReplaySettings({ ...ENVIRONMENT, OUTLIVE_KEPT_PROJECTORS: "12,9" })).toMatchObject({
      kept: { project: "12", refold: "9" },
    });
    const trial = "https://sqs.eu-central-1.amazonaws.com/123456789012/trial";
    expect(readAuditSettings({ ...ENVIRONMENT, OUTLIVE_TRIAL_REFOLD_QUEUE_URL: trial }).refoldQueueUrls).toEqual([
      ENVIRONMENT.OUTLIVE_REFOLD_QUEUE_URL,
      trial,
    ]);
    expect(configurationError(() => readProjectSettings({ ...ENVIRONMENT, OUTLIVE_PROJECTOR: "second" }))).toContain(
      'OUTLIVE_PROJECTOR is "second". Set it to "live" or "trial".',
    );
    expect(
      configurationError(() => readReplaySettings({ ...ENVIRONMENT, OUTLIVE_KEPT_PROJECTORS: "latest" })),
    ).toContain('OUTLIVE_KEPT_PROJECTORS is "latest". Set it to the versions of project and refold, such as "12,9".');
  });

  it.each([
    ["ingest", ["OUTLIVE_LOG_TABLE", "OUTLIVE_META_TABLE"]],
    ["project", ["OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B", "OUTLIVE_META_TABLE", "OUTLIVE_REFOLD_QUEUE_URL"]],
    ["sweep", ["OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B", "OUTLIVE_META_TABLE"]],
    ["query", ["OUTLIVE_LOG_TABLE", "OUTLIVE_META_TABLE", "OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B"]],
  ] as const)("of %s name every unset variable, and no other", (name, unset) => {
    const lines = configurationError(() => READERS[name]({ OUTLIVE_STAGE: "" })).split("\n");
    expect(new Set(lines.map((line) => line.split(" ")[0]))).toEqual(new Set(unset));
    expect(lines).toHaveLength(unset.length);
    for (const line of lines) expect(line).toMatch(/^OUTLIVE_\w+ is not set\. Set it to the (name|URL) of the .+\.$/);
  });

  it("say what to set", () => {
    expect(configurationError(() => readIngestSettings({ ...ENVIRONMENT, OUTLIVE_LOG_TABLE: undefined }))).toBe(
      "OUTLIVE_LOG_TABLE is not set. Set it to the name of the log table; the outputs of the stack list the tables.",
    );
  });

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
    ["AWS_ENDPOINT_URL", "emulator", "is not a URL"],
  ])("reject %s=%s", (variable, value, problem) => {
    const message = configurationError(() => readIngestSettings({ ...ENVIRONMENT, [variable]: value }));
    expect(message).toMatch(new RegExp(`^${variable} is "${value}"[.,].*\\.$`));
    expect(message).toContain(problem);
  });

  it("accept an emulator's queue, and reject what is not a URL", () => {
    const queue = "http://127.0.0.1:4566/000000000000/refold";
    expect(readProjectSettings({ ...ENVIRONMENT, OUTLIVE_REFOLD_QUEUE_URL: queue }).refoldQueueUrl).toBe(queue);
    expect(() => readProjectSettings({ ...ENVIRONMENT, OUTLIVE_REFOLD_QUEUE_URL: "refold" })).toThrow(
      ConfigurationError,
    );
  });
});

describe("the settings of the functions that notify", () => {
  const queues = { hook: "https://sqs.eu-central-1.amazonaws.com/123456789012/hook" };
  const environment = {
    ...ENVIRONMENT,
    OUTLIVE_RULES_FILE: "rules.yaml",
    OUTLIVE_DELIVERY_QUEUES: JSON.stringify(queues),
  };

  it("are the rule file, the queue of each receiver, and the name of their secret", () => {
    const notifications = { rulesFile: "rules.yaml", queueUrls: queues };
    expect(readNotifySettings(environment)).toMatchObject({ stage: "prod", tables: TABLES, ...notifications });
    const tables = { meta: TABLES.meta, retentionDays: 30 };
    expect(readDeliverSettings(environment)).toEqual({ stage: "prod", tables, ...notifications });
    expect(readDeliverSettings({ ...environment, OUTLIVE_RULES_SECRET: "arn:s" })).toMatchObject({ secret: "arn:s" });
  });

  it.each(["", "{", '{"hook":1}', '{"hook":"nowhere"}'])("are rejected with the queues %j", (text) => {
    const given = { ...environment, OUTLIVE_DELIVERY_QUEUES: text };
    expect(configurationError(() => readNotifySettings(given))).toMatch(/^OUTLIVE_DELIVERY_QUEUES is not .*JSON/);
  });
});
