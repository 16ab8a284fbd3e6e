import type { Prices } from "../../../bench/dynamodb/cost.ts";

/** Nothing has a price. */
export const FREE: Prices = {
  asOf: "2026-11-22",
  region: "nowhere",
  writeUnitsPerMillion: 0,
  readUnitsPerMillion: 0,
  storagePerGbMonth: 0,
  infrequentWriteUnitsPerMillion: 0,
  infrequentReadUnitsPerMillion: 0,
  infrequentStoragePerGbMonth: 0,
  queueRequestsPerMillion: 0,
  lambdaRequestsPerMillion: 0,
  lambdaGbSecond: 0,
  backupPerGbMonth: 0,
  logIngestionPerGb: 0,
  apiRequestsPerMillion: 0,
  streamReadsPerMillion: 0,
  objectStoragePerGbMonth: 0,
  objectWritesPerMillion: 0,
  objectReadsPerMillion: 0,
  queryPerTerabyte: 0,
  metricPerMonth: 0,
  alarmPerMonth: 0,
  dashboardPerMonth: 0,
  importPerGb: 0,
};
