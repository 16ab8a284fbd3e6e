import { USUAL_LABELS } from "../../segment/dictionary-v2.ts";
import { SUMMARY_DICTIONARY_V1 } from "./summary-dictionary-v1.ts";

const reached = (type: string): string =>
  `{"type":"${type}","status":"True","reason":"CompletionsReached",` +
  `"message":"Reached expected number of succeeded pods","lastTransitionTime":"2026-Z"}`;

const STATUS = [
  `{"ready":0,"succeeded":1,"terminating":0,"startTime":"2026-Z","completionTime":"2026-Z",`,
  `"conditions":[${reached("SuccessCriteriaMet")},${reached("Complete")}]}`,
].join("");

const RUNNING = [
  `{"state":"Running","final":false,"basis":"both","since":"2026-Z"},"tracking":"tracked",`,
  `"pods":{"seen":1,"succeeded":0,"failed":0,"active":1,"terminating":0,"unknown":0},`,
  `"completeness":{"level":"complete","gaps":[]},"asOf":{"time":"2026-Z","resourceVersion":"1"},`,
  `"status":{"active":1,"ready":1,"startTime":"2026-Z"},`,
  `"reported":{"status":{"active":1,"ready":1,"terminating":0,"startTime":"2026-Z"},"resourceVersion":"1",`,
  `"observedAt":"2026-Z"},"findings":[]}`,
].join("");

const DELETED = [
  `"deletedBy":{"actor":"generic-garbage-collector","cause":"its CronJob was being deleted in the foreground, or a `,
  `person or a program deleted the Job in this way","confidence":"possible","evidence":[]},"findings":[]}`,
  `"deletedBy":{"actor":"unknown","cause":"no observation shows who requested it; an audit log would",`,
  `"confidence":"possible","evidence":[]},"findings":[]}`,
].join("");

const COMPLETE = [
  `{"cluster":"","namespace":"","name":"","uid":"","owner":{"kind":"CronJob","name":"","uid":""},${USUAL_LABELS},`,
  `"createdAt":"2026-Z","startedAt":"2026-Z","finishedAt":"2026-Z","deletedAt":"2026-Z","spec":{"backoffLimit":6,`,
  `"completionMode":"NonIndexed","parallelism":1,"podReplacementPolicy":"TerminatingOrFailed","suspend":false,`,
  `"completions":1,"template":{"spec":{"restartPolicy":"Never"}}},"verdict":{"state":"Complete",`,
  `"reason":"CompletionsReached","final":true,"basis":"both","since":"2026-Z"},"tracking":"tracked",`,
  `"pods":{"seen":1,"succeeded":1,"failed":0,"active":0,"terminating":0,"unknown":0},`,
  `"completeness":{"level":"complete","gaps":[]},"asOf":{"time":"2026-Z","resourceVersion":"1"},"status":${STATUS},`,
  `"reported":{"status":${STATUS},"resourceVersion":"1","observedAt":"2026-Z"},"findings":[]}`,
].join("");

/**
 * The compression dictionary of codec 2 of packed summaries: that of codec 1, then the whole answer of a Job with one
 * Pod in the order in which a projector writes its fields. It has no user data, and never changes.
 */
export const SUMMARY_DICTIONARY_V2 = [SUMMARY_DICTIONARY_V1, RUNNING, DELETED, COMPLETE].join("");
