import { describe, expect, it } from "vitest";
import {
  readAuditSettings,
  readIngestSettings,
  readPageSettings,
  readProjectSettings,
  readQuerySettings,
  readRefoldSettings,
  readReplaySettings,
  readSweepSettings,
} from "../../src/runtime/function-settings.ts";
import { ConfigurationError } from "../../src/runtime/read-variables.ts";

const WHOLE = {
  OUTLIVE_STAGE: "prod",
  OUTLIVE_LOG_TABLE: "outlive-log",
  OUTLIVE_JOBS_TABLE_A: "outlive-jobs-a",
  OUTLIVE_JOBS_TABLE_B: "outlive-jobs-b",
  OUTLIVE_META_TABLE: "outlive-meta",
  OUTLIVE_REFOLD_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/refold",
  OUTLIVE_SET_ASIDE_BUCKET: "outlive-set-aside",
  OUTLIVE_RETENTION_DAYS: "30",
  OUTLIVE_OPEN_MODE: "true",
};
const TABLES = {
  log: "outlive-log",
  jobs: { A: "outlive-jobs-a", B: "outlive-jobs-b" },
  meta: "outlive-meta",
  retentionDays: 30,
};
const PROJECTION = { jobs: TABLES.jobs, meta: TABLES.meta, retentionDays: 30 };

const FUNCTIONS = {
  ingest: readIngestSettings,
  project: readProjectSettings,
  refold: readRefoldSettings,
  audit: readAuditSettings,
  query: readQuerySettings,
  replay: readReplaySettings,
  sweep: readSweepSettings,
  page: readPageSettings,
};

describe("the settings of a function", () => {
  it("are what its variables say", () => {
    const queue = WHOLE.OUTLIVE_REFOLD_QUEUE_URL;
    const { log, meta, retentionDays } = TABLES;
    expect(readIngestSettings(WHOLE)).toEqual({
      stage: "prod",
      tables: { log, meta, retentionDays },
      setAsideBucket: "outlive-set-aside",
      open: true,
    });
    expect(readProjectSettings(WHOLE)).toEqual({ stage: "prod", tables: PROJECTION, refoldQueueUrl: queue });
    expect(readRefoldSettings(WHOLE)).toEqual({ stage: "prod", tables: TABLES });
    expect(readAuditSettings(WHOLE)).toEqual({ stage: "prod", tables: TABLES, refoldQueueUrl: queue });
    expect(readSweepSettings(WHOLE)).toEqual({ stage: "prod", tables: PROJECTION });
    expect(readQuerySettings(WHOLE)).toEqual({ stage: "prod", tables: TABLES, readers: { kind: "open" } });
    expect(readPageSettings(WHOLE)).toEqual({ stage: "prod", readers: { kind: "open" } });
  });

  it.each([
    ["ingest", ["OUTLIVE_LOG_TABLE", "OUTLIVE_META_TABLE"]],
    ["project", ["OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B", "OUTLIVE_META_TABLE", "OUTLIVE_REFOLD_QUEUE_URL"]],
    ["sweep", ["OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B", "OUTLIVE_META_TABLE"]],
    ["query", ["OUTLIVE_LOG_TABLE", "OUTLIVE_META_TABLE", "OUTLIVE_JOBS_TABLE_A", "OUTLIVE_JOBS_TABLE_B"]],
  ] as const)("%s: name every variable that is missing, and no other, in a sentence each", (name, missing) => {
    const refused = errorMessage(() => FUNCTIONS[name]({ OUTLIVE_STAGE: "" })).split("\n");
    expect(new Set(refused.map((sentence) => sentence.split(" ")[0]))).toEqual(new Set(missing));
    expect(refused).toHaveLength(missing.length);
    for (const sentence of refused) expect(sentence).toMatch(/^OUTLIVE_\w+ is to .+\.$/);
  });

  it.each([
    ["OUTLIVE_LOG_TABLE", "a table", "is no table's name"],
    ["OUTLIVE_META_TABLE", "x", "is no table's name"],
    ["OUTLIVE_RETENTION_DAYS", "0", "a whole number of at least 1"],
    ["OUTLIVE_RETENTION_DAYS", "4e2", "a whole number of at least 1"],
    ["OUTLIVE_OPEN_MODE", "yes", '"true" or "false"'],
    ["OUTLIVE_SET_ASIDE_BUCKET", "My Bucket", "no bucket's name"],
    ["OUTLIVE_STAGE", "pro d", "names the stage"],
  ])("refuse %s=%s in a sentence", (variable, value, problem) => {
    expect(errorMessage(() => readIngestSettings({ ...WHOLE, [variable]: value }))).toMatch(
      new RegExp(`^${variable} .*${problem}.*\\.$`),
    );
  });

  it("take a queue of an emulator, and none that is no URL", () => {
    const queue = "http://127.0.0.1:4566/000000000000/refold";
    expect(readProjectSettings({ ...WHOLE, OUTLIVE_REFOLD_QUEUE_URL: queue }).refoldQueueUrl).toBe(queue);
    expect(errorMessage(() => readProjectSettings({ ...WHOLE, OUTLIVE_REFOLD_QUEUE_URL: "refold" }))).toContain(
      '"refold" is no URL',
    );
  });
});

describe("who may ask", () => {
  const closed = { ...WHOLE, OUTLIVE_OPEN_MODE: "false" };
  const oidc = { OUTLIVE_OIDC_ISSUER: "https://id.example.com/", OUTLIVE_OIDC_AUDIENCE: "outlive, console" };

  it("is whoever has a token of an issuer for an audience", () => {
    expect(readQuerySettings({ ...closed, ...oidc }).readers).toEqual({
      kind: "oidc",
      issuer: "https://id.example.com/",
      audience: ["outlive", "console"],
      rules: { claim: "outlive", groupsClaim: "groups", groupGrants: {} },
    });
    const more = {
      OUTLIVE_OIDC_KEYS_URL: "https://id.example.com/keys",
      OUTLIVE_OIDC_CLAIM: "may",
      OUTLIVE_OIDC_GROUPS_CLAIM: "roles",
      OUTLIVE_OIDC_GROUP_GRANTS: '{"operators":["*"]}',
    };
    expect(readQuerySettings({ ...closed, ...oidc, ...more }).readers).toMatchObject({
      keysUrl: "https://id.example.com/keys",
      rules: { claim: "may", groupsClaim: "roles", groupGrants: { operators: ["*"] } },
    });
  });

  it("is whoever signs as a principal that IAM knows", () => {
    expect(readQuerySettings({ ...closed, OUTLIVE_IAM_ACCESS: "true" }).readers).toEqual({ kind: "iam" });
  });

  it.each([
    ["nobody at all", {}, /^Nobody may ask/],
    ["whoever comes by two ways", { ...oidc, OUTLIVE_OPEN_MODE: "true" }, /^Readers may come by more than one way/],
    ["who has a token for any audience", { ...oidc, OUTLIVE_OIDC_AUDIENCE: " , " }, /go together/],
    ["who has a token of any issuer", { OUTLIVE_OIDC_AUDIENCE: "outlive" }, /go together/],
    ["whom an issuer knows that is no URL", { ...oidc, OUTLIVE_OIDC_ISSUER: "id" }, /^OUTLIVE_OIDC_ISSUER .*none\.$/],
    [
      "who is in a group with no JSON",
      { ...oidc, OUTLIVE_OIDC_GROUP_GRANTS: "{" },
      /^OUTLIVE_OIDC_GROUP_GRANTS .*no JSON/,
    ],
    ["who is in a group with a number", { ...oidc, OUTLIVE_OIDC_GROUP_GRANTS: '{"a":[1]}' }, /may see\.$/],
  ])("is not %s", (_, variables, sentence) => {
    expect(errorMessage(() => readQuerySettings({ ...closed, ...variables }))).toMatch(sentence);
  });
});

function errorMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error("Nothing was refused.");
}
