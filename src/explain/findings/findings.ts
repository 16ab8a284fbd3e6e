import { type CompletionLost, completionLost, completionLostText } from "./completion-lost.ts";
import { type ContainerRestarted, containerRestarted, containerRestartedText } from "./container-restarted.ts";
import { type ContradictingStatus, contradictingStatus, contradictingStatusText } from "./contradicting-status.ts";
import { type DuplicateExecution, duplicateExecution, duplicateExecutionText } from "./duplicate-execution.ts";
import { type FinalizerStuck, finalizerStuck, finalizerStuckText } from "./finalizer-stuck.ts";
import { type LimitReached, limitReached, limitReachedText } from "./limit-reached.ts";
import { type NodeUnreachable, nodeUnreachable, nodeUnreachableText } from "./node-unreachable.ts";
import { type OutcomeUnknown, outcomeUnknown, outcomeUnknownText } from "./outcome-unknown.ts";
import { type PhantomRunning, phantomRunning, phantomRunningText } from "./phantom-running.ts";
import { type ReRunAfterSuccess, reRunAfterSuccess, reRunAfterSuccessText } from "./re-run-after-success.ts";
import { type SidecarHoldsPod, sidecarHoldsPod, sidecarHoldsPodText } from "./sidecar-holds-pod.ts";
import { type SlowerThanUsual, slowerThanUsual, slowerThanUsualText } from "./slower-than-usual.ts";
import { type StatusBehind, statusBehind, statusBehindText } from "./status-behind.ts";
import { type SuccessFlipped, successFlipped, successFlippedText } from "./success-flipped.ts";
import { type LongWaiting, longWaiting, longWaitingText } from "./waiting.ts";
import type { FindingKind } from "./finding-kinds.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";

/** What each kind of finding consists of. */
interface FindingTypes extends Readonly<Record<FindingKind, object>> {
  readonly ContradictingStatus: ContradictingStatus;
  readonly CompletionLost: CompletionLost;
  readonly ReRunAfterSuccess: ReRunAfterSuccess;
  readonly DuplicateExecution: DuplicateExecution;
  readonly PhantomRunning: PhantomRunning;
  readonly NodeUnreachable: NodeUnreachable;
  readonly SidecarHoldsPod: SidecarHoldsPod;
  readonly OutcomeUnknown: OutcomeUnknown;
  readonly SuccessFlipped: SuccessFlipped;
  readonly ContainerRestarted: ContainerRestarted;
  readonly LimitReached: LimitReached;
  readonly StatusBehind: StatusBehind;
  readonly FinalizerStuck: FinalizerStuck;
  readonly Waiting: LongWaiting;
  readonly SlowerThanUsual: SlowerThanUsual;
}

/** A typed, evidenced deviation. */
export type Finding<Kind extends FindingKind = FindingKind> = {
  [K in Kind]: FindingTypes[K] & { readonly kind: K };
}[Kind];

/** The order in which answers list findings: lost or repeated work, Pods that are stuck, failures, delays. */
export const FINDINGS: { readonly [Kind in FindingKind]: FindingRegistration<Finding<Kind>> } = {
  ContradictingStatus: contradictingStatus,
  CompletionLost: completionLost,
  ReRunAfterSuccess: reRunAfterSuccess,
  DuplicateExecution: duplicateExecution,
  PhantomRunning: phantomRunning,
  NodeUnreachable: nodeUnreachable,
  SidecarHoldsPod: sidecarHoldsPod,
  OutcomeUnknown: outcomeUnknown,
  SuccessFlipped: successFlipped,
  ContainerRestarted: containerRestarted,
  LimitReached: limitReached,
  StatusBehind: statusBehind,
  FinalizerStuck: finalizerStuck,
  Waiting: longWaiting,
  SlowerThanUsual: slowerThanUsual,
};

/** The order in which the page lists kinds: ongoing problems first. */
export const KIND_TEXTS: Readonly<Record<FindingKind, KindText>> = {
  PhantomRunning: phantomRunningText,
  NodeUnreachable: nodeUnreachableText,
  FinalizerStuck: finalizerStuckText,
  Waiting: longWaitingText,
  SlowerThanUsual: slowerThanUsualText,
  SidecarHoldsPod: sidecarHoldsPodText,
  OutcomeUnknown: outcomeUnknownText,
  LimitReached: limitReachedText,
  CompletionLost: completionLostText,
  DuplicateExecution: duplicateExecutionText,
  ReRunAfterSuccess: reRunAfterSuccessText,
  StatusBehind: statusBehindText,
  ContradictingStatus: contradictingStatusText,
  SuccessFlipped: successFlippedText,
  ContainerRestarted: containerRestartedText,
};
