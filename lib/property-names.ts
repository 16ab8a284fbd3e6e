import type { OutliveProps } from "./outlive-props.ts";
import { InvalidSettingsError } from "./context-values.ts";

/** Properties that are objects of the CDK, or stand for several settings. */
const OBJECTS = {
  retention: true,
  readers: true,
  encryptionKey: true,
  alarmTopic: true,
  logRetention: true,
  archiveLock: true,
  backupCopyVault: true,
  rulesSecret: true,
  auditLogGroups: true,
} as const;

/** Properties that are texts, numbers and flags. The settings of the app in bin/ have the same names. */
const VALUES = {
  stage: true,
  disposable: true,
  archive: true,
  peakJobsPerSecond: true,
  capacity: true,
  accountConcurrency: true,
  reserveConcurrency: true,
  ingestConcurrency: true,
  ingestBatchSeconds: true,
  projectLanes: true,
  logShards: true,
  packShards: true,
  refoldConcurrency: true,
  replayConcurrency: true,
  queryConcurrency: true,
  warmWriteUnits: true,
  foldSeconds: true,
  tableClass: true,
  backupJobs: true,
  backupDays: true,
  requestsPerSecond: true,
  webAcl: true,
  accessLogs: true,
  apiKey: true,
  logLinks: true,
  canary: true,
  keepProjectors: true,
  erasure: true,
  rules: true,
  metricsMaxSeries: true,
  jobMetrics: true,
  jobAlarms: true,
  tracing: true,
} as const;

const ALL = { ...OBJECTS, ...VALUES } satisfies Readonly<Record<keyof OutliveProps, true>>;

export const VALUE_NAMES: readonly string[] = Object.keys(VALUES);

/** Rejects unknown names: in JavaScript, a misspelt property would silently keep its default. */
export function rejectUnknownProperties(props: OutliveProps): void {
  const unknown = Object.keys(props).find((name) => !Object.hasOwn(ALL, name));
  if (unknown === undefined) return;
  throw new InvalidSettingsError(`Unknown property ${unknown}. Properties: ${Object.keys(ALL).join(", ")}.`);
}
