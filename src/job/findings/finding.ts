import type { LongWaiting } from "../cause/long-waiting.ts";
import type { CompletionLost } from "./find-completion-lost.ts";
import type { ContainerRestarted } from "./find-container-restarted.ts";
import type { ContradictingStatus } from "./find-contradicting-status.ts";
import type { DuplicateExecution } from "./find-duplicate-execution.ts";
import type { FinalizerStuck } from "./find-finalizer-stuck.ts";
import type { LimitReached } from "./find-limit-reached.ts";
import type { NodeUnreachable } from "./find-node-unreachable.ts";
import type { OutcomeUnknown } from "./find-outcome-unknown.ts";
import type { PhantomRunning } from "./find-phantom-running.ts";
import type { ReRunAfterSuccess } from "./find-re-run-after-success.ts";
import type { SidecarHoldsPod } from "./find-sidecar-holds-pod.ts";
import type { StatusBehind } from "./find-status-behind.ts";
import type { SuccessFlipped } from "./find-success-flipped.ts";

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
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What each kind of finding consists of. */
interface FindingKinds extends Readonly<Record<FindingKind, object>> {
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
}

/** A typed, evidenced deviation. It contains no text: `src/explain` describes it. */
export type Finding<Kind extends FindingKind = FindingKind> = {
  [K in Kind]: FindingKinds[K] & { readonly kind: K };
}[Kind];
