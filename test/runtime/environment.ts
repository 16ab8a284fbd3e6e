import { ConfigurationError } from "../../src/runtime/read-variables.ts";

/** Variables for every function. */
export const ENVIRONMENT = {
  OUTLIVE_STAGE: "prod",
  OUTLIVE_LOG_TABLE: "outlive-log",
  OUTLIVE_JOBS_TABLE_A: "outlive-jobs-a",
  OUTLIVE_JOBS_TABLE_B: "outlive-jobs-b",
  OUTLIVE_META_TABLE: "outlive-meta",
  OUTLIVE_REFOLD_QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/123456789012/refold",
  OUTLIVE_SET_ASIDE_BUCKET: "outlive-set-aside",
  OUTLIVE_ARCHIVE_BUCKET: "outlive-archive",
  OUTLIVE_RETENTION_DAYS: "30",
  OUTLIVE_OPEN_MODE: "true",
};

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
