/** Every kind of finding of a Job, in the order in which documents list them. */
export const FINDING_KINDS = [
  "CompletionLost",
  "ReRunAfterSuccess",
  "DuplicateExecution",
  "PhantomRunning",
  "NodeUnreachable",
  "SidecarHoldsPod",
  "OutcomeUnknown",
  "SuccessFlipped",
  "ContainerRestarted",
  "LimitReached",
  "StatusBehind",
  "ContradictingStatus",
  "FinalizerStuck",
  "Waiting",
  "SlowerThanUsual",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];
