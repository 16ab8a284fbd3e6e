import { ConfigurationError } from "../../../../src/ports/deployment/settings/descriptor.ts";
import type { FunctionEnvironment, FunctionName } from "../../../../src/ports/deployment/settings/function-settings.ts";

/** All that the functions require, of an open stage with an archive. */
export const ENVIRONMENT = {
  OUTLIVE_STAGE: "prod",
  OUTLIVE_LOG_TABLE: "outlive-log",
  OUTLIVE_JOBS_TABLE_A: "outlive-jobs-a",
  OUTLIVE_JOBS_TABLE_B: "outlive-jobs-b",
  OUTLIVE_RUNS_TABLE_A: "outlive-runs-a",
  OUTLIVE_RUNS_TABLE_B: "outlive-runs-b",
  OUTLIVE_META_TABLE: "outlive-meta",
  OUTLIVE_RETENTION_DAYS: "30",
  OUTLIVE_REFOLD_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/refold",
  OUTLIVE_SEGMENT_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/segments",
  OUTLIVE_SET_ASIDE_BUCKET: "outlive-set-aside",
  OUTLIVE_ARCHIVE_BUCKET: "outlive-archive",
  OUTLIVE_REPLAY_BUCKET: "outlive-replay",
  OUTLIVE_PACK_SHARDS: "4",
  OUTLIVE_OPEN_MODE: "true",
  OUTLIVE_AUDIT_LOG_GROUPS: '{"/aws/eks/eu/cluster":"eu"}',
  OUTLIVE_METRICS_MAX_SERIES: "10000",
  OUTLIVE_JOB_METRICS: "stage",
  OUTLIVE_RULES_FILE: "rules.json",
  OUTLIVE_DELIVERY_QUEUES: '{"hook":"https://sqs.eu-central-1.amazonaws.com/123456789012/hook"}',
} satisfies FunctionEnvironment<FunctionName> & { readonly OUTLIVE_STAGE: string };

/** The message of the ConfigurationError that `read` throws. */
export function configurationError(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error("The settings were accepted.");
}
