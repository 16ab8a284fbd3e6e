/** How a condition begins in an answer, and how one ends. */
const condition = (type: string, reason: string, message: string): string =>
  `{"type":"${type}","status":"True","reason":"${reason}","message":"${message}","lastTransitionTime":"2026-`;
const REACHED = ["CompletionsReached", "Reached expected number of succeeded pods"] as const;
const BACKED_OFF = ["BackoffLimitExceeded", "Job has reached the specified backoff limit"] as const;

const SPEC = `"spec":{"parallelism":1,"completionMode":"NonIndexed","backoffLimit":6,"suspend":false,"podReplacementPolicy":"TerminatingOrFailed","completions":1,"template":{"spec":{"restartPolicy":"Never"}}}`;
const COMPLETE_STATUS = [
  `"status":{"ready":0,"terminating":0,"succeeded":1,"startTime":"2026-Z","completionTime":"2026-Z","conditions":[`,
  `${condition("SuccessCriteriaMet", ...REACHED)}Z"},${condition("Complete", ...REACHED)}Z"}]}`,
].join("");

/**
 * The compression dictionary of packed summaries: fragments of answers that most Jobs have, the likeliest last. It has
 * field names and Kubernetes' own words, and no user data. It never changes, because bytes that were compressed with it
 * can be read only with it. A better dictionary needs its own codec byte.
 */
export const SUMMARY_DICTIONARY_V1 = [
  `"findings":[{"kind":"StatusBehind","message":"","evidence":[]},{"kind":"OutcomeUnknown"},{"kind":"FinalizerStuck"},{"kind":"SidecarHoldsPod"},{"kind":"NodeUnreachable"},{"kind":"PhantomRunning"},{"kind":"SuccessFlipped"},{"kind":"ContainerRestarted"},{"kind":"LimitReached"},{"kind":"DuplicateExecution"},{"kind":"ReRunAfterSuccess"},{"kind":"CompletionLost","message":""`,
  `"tracking":"untracked","tracking":"unknown","completionMode":"Indexed","ttlSecondsAfterFinished":100,"activeDeadlineSeconds":600,"podReplacementPolicy":"Failed","managedBy":"","restartPolicy":"OnFailure"`,
  `"completedIndexes":"0-","failedIndexes":"","podFailurePolicy":{"rules":[{"action":"FailJob","onExitCodes":{"containerName":"main","operator":"In","values":[42]}},{"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]}]}`,
  `"verdict":{"state":"Suspended","final":false,"verdict":{"state":"Unknown","verdict":{"state":"Deleted","final":false,"basis":"observed"},"verdict":{"state":"Pending","final":false,"basis":"reported"}`,
  `"deletedAt":"2026-Z","deletedBy":{"actor":"generic-garbage-collector","cause":"","confidence":"certain","evidence":[]},"actor":"ttl-after-finished-controller","confidence":"likely","confidence":"possible"`,
  `"verdict":{"state":"Failed","reason":"PodFailurePolicy","reason":"DeadlineExceeded","reason":"FailedIndexes","reason":"BackoffLimitExceeded","final":true,"basis":"both","since":"2026-`,
  `"status":{"failed":1,"ready":0,"terminating":0,"startTime":"2026-Z","conditions":[`,
  `${condition("FailureTarget", ...BACKED_OFF)}Z"},${condition("Failed", ...BACKED_OFF)}Z"}]}`,
  `"labels":{"app.kubernetes.io/managed-by":"Helm","app.kubernetes.io/name":"","app.kubernetes.io/instance":"","owner":{"kind":"CronJob","name":"","uid":""`,
  `{"cluster":"","namespace":"","name":"","uid":"","labels":{},"createdAt":"2026-Z","startedAt":"2026-Z",${SPEC}`,
  `,"verdict":{"state":"Running","final":false,"basis":"both"},"tracking":"tracked","pods":{"seen":1,"succeeded":0,"failed":0,"active":1,"terminating":0,"unknown":0}`,
  `,"completeness":{"level":"complete","gaps":[]},"asOf":{"time":"2026-Z","resourceVersion":"1"},"status":{"active":1,"ready":1,"terminating":0,"startTime":"2026-Z"}`,
  `,"reported":{"status":{"active":1,"ready":1,"terminating":0,"startTime":"2026-Z"},"resourceVersion":"1","observedAt":"2026-Z"},"findings":[]}`,
  `{"cluster":"","namespace":"","name":"","uid":"","labels":{"app":""},"createdAt":"2026-Z","startedAt":"2026-Z","finishedAt":"2026-Z",${SPEC}`,
  `,"verdict":{"state":"Complete","reason":"CompletionsReached","final":true,"basis":"both","since":"2026-Z"},"tracking":"tracked"`,
  `,"pods":{"seen":1,"succeeded":1,"failed":0,"active":0,"terminating":0,"unknown":0},"completeness":{"level":"complete","gaps":[]}`,
  `,"asOf":{"time":"2026-Z","resourceVersion":"1"},${COMPLETE_STATUS},"reported":{${COMPLETE_STATUS},"resourceVersion":"1","observedAt":"2026-Z"},"findings":[]}`,
].join("");
