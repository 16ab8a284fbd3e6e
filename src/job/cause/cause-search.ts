import { type CauseContext, causeOfPod, causeOfRestarts, failedRunsOf } from "./cause-of-pod.ts";
import type { Cause, CauseShows } from "./cause.ts";
import type { PodCause } from "./pod-cause.ts";
import { findRefusal } from "./waiting-job.ts";
import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import type { CountingRules } from "../accounting/counting-rules.ts";
import { podEndEvidence } from "../findings/pod-end-evidence.ts";
import { byCreation, PodSample } from "../findings/pod-sample.ts";
import { canonical } from "../model/canonical.ts";
import { type Evidence, podEvidence, podName } from "../model/evidence.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The most different causes that are distinguished. */
const MAX_CAUSES = 64;

interface Group {
  readonly first: PodRecord;
  readonly why: PodCause;
  readonly pods: PodSample;
  attempts: number;
  restarts: number;
  counted: number;
  ignored: number;
}

/** Visits every Pod of a Job once, in any order, and finds the cause that most of its unsuccessful attempts share. */
export class CauseSearch {
  readonly #context: CauseContext & { readonly rules: CountingRules };
  readonly #groups = new Map<string, Group>();
  #unsuccessful = 0;
  #hasPods = false;

  constructor(context: CauseContext & { readonly rules: CountingRules }) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    this.#hasPods = true;
    const why = causeOfPod(pod, this.#context);
    if (why === undefined) this.#visitRestarts(pod);
    else this.#visitAttempt(pod, why);
  }

  found(): Cause | undefined {
    const [group] = [...this.#groups.values()].sort((a, b) => this.#compare(a, b));
    if (group === undefined) return this.#refusal();
    const { why, attempts, restarts, counted, ignored, pods } = group;
    return {
      why,
      attempts,
      restarts,
      counted,
      ignored,
      unsuccessful: this.#unsuccessful,
      otherCauses: [...this.#groups.values()].filter((other) => other !== group && other.attempts > 0).length,
      ...pods.named,
      evidence: pods.pods.flatMap((pod) => evidenceOf(pod)),
    };
  }

  /** A Job that failed without ever having a Pod failed because none could be created. */
  #refusal(): Cause | undefined {
    if (this.#hasPods || this.#context.job.failed === undefined) return undefined;
    const found = findRefusal(this.#context, 0);
    return found && { why: found.why, ...NO_ATTEMPTS, evidence: found.evidence };
  }

  /** The cause of the Pod that a rule of the policy matched comes first, then that of most attempts, then the first. */
  #compare(a: Group, b: Group): number {
    const policyPod = policyPodOf(this.#context);
    const isDeciding = (group: Group): number =>
      policyPod !== undefined && group.pods.pods.some((pod) => podName(pod) === policyPod) ? 1 : 0;
    return (
      isDeciding(b) - isDeciding(a) ||
      b.attempts - a.attempts ||
      b.restarts - a.restarts ||
      byCreation(a.first, b.first)
    );
  }

  #visitAttempt(pod: PodRecord, why: PodCause): void {
    this.#unsuccessful += 1;
    const group = this.#groupOf(pod, why);
    if (group === undefined) return;
    group.attempts += 1;
    const ledger = countedAs(ledgerOf(pod, this.#context.rules));
    if (ledger === "failed") group.counted += 1;
    if (ledger === "ignored") group.ignored += 1;
  }

  #visitRestarts(pod: PodRecord): void {
    const runs = failedRunsOf(pod);
    const why = runs === 0 ? undefined : causeOfRestarts(pod, this.#context);
    const group = why === undefined ? undefined : this.#groupOf(pod, why);
    if (group !== undefined) group.restarts += runs;
  }

  #groupOf(pod: PodRecord, why: PodCause): Group | undefined {
    const key = keyOf(why);
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= MAX_CAUSES) return undefined;
    const isFirst = known === undefined || byCreation(pod, known.first) < 0;
    const group: Group = isFirst
      ? { ...(known ?? { pods: new PodSample(), attempts: 0, restarts: 0, counted: 0, ignored: 0 }), first: pod, why }
      : known;
    this.#groups.set(key, group);
    group.pods.add(pod);
    return group;
  }
}

const NO_ATTEMPTS = {
  attempts: 0,
  unsuccessful: 0,
  restarts: 0,
  counted: 0,
  ignored: 0,
  otherCauses: 0,
  pods: [],
  podCount: 0,
} as const;

/** The node and the time do not distinguish causes, nor whether a pull had just failed or waited for the next try. */
function keyOf(why: PodCause): string {
  const { node: _, since: __, reason, ...same } = { node: undefined, since: undefined, reason: undefined, ...why };
  return canonical(why.cause === "imageNotPulled" ? same : { ...same, ...(reason !== undefined && { reason }) });
}

function policyPodOf({ job }: CauseContext): string | undefined {
  return job.failed?.condition.details?.pod;
}

function evidenceOf(pod: PodRecord): readonly Evidence<CauseShows>[] {
  const { waited, unscheduled } = pod;
  return [
    ...(waited?.waiting === undefined
      ? []
      : [podEvidence(pod, waited, { shows: { what: "waited", ...whatWaited(waited.waiting) } })]),
    ...(unscheduled?.unscheduled === undefined || pod.scheduled !== undefined
      ? []
      : [podEvidence(pod, unscheduled, { shows: { what: "unscheduled", reason: unscheduled.unscheduled.reason } })]),
    ...podEndEvidence(pod),
  ];
}

function whatWaited({ container, reason }: { readonly container: string; readonly reason: string }) {
  return { container, reason };
}
