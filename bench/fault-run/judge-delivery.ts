import type { GapRecorded, JobFact } from "../../src/job/model/fact.ts";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import { emptyJob, foldJobs, joinFacts } from "../../src/job/model/job-record.ts";
import { OwnerMemory } from "../../src/kubernetes/translate/memory/owner-memory.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { answersOf, foldFacts } from "../../src/query/job/fold-facts.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { segmentKey } from "../../src/segment/segment-key.ts";
import { decodeMessageBody } from "../../src/adapters/sqs/message-body.ts";
import type { TrueEvent } from "./etcd-oracle.ts";

export interface Judgement {
  readonly jobs: number;
  readonly truthFacts: number;
  readonly segments: number;
  readonly repeatedSegments: number;
  readonly factsSent: number;
  /** True facts that were not delivered, outside every declared gap. */
  readonly lost: readonly string[];
  /** The same within a declared gap. */
  readonly lostInGaps: number;
  /** Delivered facts that are not true. */
  readonly invented: readonly string[];
  /**
   * Jobs whose answer has more Pods, successes or failures than in truth, and segments of one name with two contents.
   */
  readonly double: readonly string[];
  /** Jobs whose answer differs from the truth and claims to be complete. */
  readonly unflagged: readonly string[];
  readonly gaps: number;
  readonly gapSeconds: number;
  /** Texts that must not leave the cluster. */
  readonly leaked: readonly string[];
}

/**
 * The most by which the times of an event differ between fault and oracle. A gap's instants are whole seconds of the
 * server.
 */
const TOLERANCE_MILLIS = 2500;

export interface TrueFact {
  readonly fact: JobFact;
  readonly event: TrueEvent;
}

/**
 * Compares the delivered facts with etcd. Changes after `until`, when the exporters were stopped, need not be
 * delivered.
 */
export async function judgeDelivery(
  events: readonly TrueEvent[],
  bodies: readonly string[],
  { secrets, until }: { readonly secrets: readonly string[]; readonly until: number },
): Promise<Judgement> {
  const truth = factsOfTruth(events);
  const sent = openBodies(bodies);
  const delivered = sent.facts.filter(isJobFact);
  const gaps = [...new Map(sent.facts.filter(isGap).map((gap) => [gap.gapId, gap])).values()];
  const deliveredJobs = foldJobs(delivered);
  const trueJobs = foldJobs(truth.map(({ fact }) => fact));
  const missing = truth.filter(({ fact, event }) => event.at <= until && isNewTo(deliveredJobs.get(fact.jobUid), fact));
  const lost = missing.filter(({ event }) => !gaps.some((gap) => explains(gap, event)));
  const gone = new Set(events.filter(({ type }) => type === "DELETED").map(({ object }) => uidOf(object)));
  const invented = delivered.filter((fact) => {
    if (fact.kind === "PodVanished") return !gone.has(fact.podUid);
    if (fact.kind === "JobVanished") return !gone.has(fact.jobUid);
    return isNewTo(trueJobs.get(fact.jobUid), fact);
  });
  const answers = await compareAnswers(
    truth.map(({ fact }) => fact),
    sent.facts,
    missing,
  );
  return {
    jobs: trueJobs.size,
    truthFacts: truth.length,
    segments: sent.segments,
    repeatedSegments: sent.repeated,
    factsSent: sent.facts.length,
    lost: lost.map(({ fact, event }) => `${describe(fact)} (seen ${new Date(event.at).toISOString()})`),
    lostInGaps: missing.length - lost.length,
    invented: invented.map(describe),
    double: [...sent.conflicts, ...answers.double],
    unflagged: answers.unflagged,
    gaps: gaps.length,
    gapSeconds: Math.round(gaps.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0)),
    leaked: secrets.filter((secret) => sent.text.includes(secret)),
  };
}

/** The facts of etcd's history, in its order. */
export function factsOfTruth(events: readonly TrueEvent[]): readonly TrueFact[] {
  const owners = new OwnerMemory(1_000_000, { keepsDeleted: true });
  return [...events]
    .sort((a, b) => a.revision - b.revision)
    .flatMap((event) => {
      const translated = translate({ type: event.type, object: event.object }, { jobsOfPod: owners.jobsOf });
      if (translated.outcome !== "translated") return [];
      owners.remember(translated.facts);
      return translated.facts.filter(isJobFact).map((fact) => ({ fact, event }));
    });
}

interface Opened {
  readonly facts: readonly Fact[];
  readonly segments: number;
  readonly repeated: number;
  readonly conflicts: readonly string[];
  /** All canonical texts, for the search. */
  readonly text: string;
}

/** Opens the messages of a queue. Throws if one is damaged. */
export function openBodies(bodies: readonly string[]): Opened {
  const contents = new Map<string, string>();
  const conflicts: string[] = [];
  const facts: Fact[] = [];
  const texts: string[] = [];
  for (const body of bodies) {
    const decodedBody = decodeMessageBody(body);
    if (decodedBody.outcome === "rejected") throw new Error(decodedBody.reason);
    const decoded = decodeSegment(decodedBody.bytes);
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    const { sk } = segmentKey(decoded.segment);
    const before = contents.get(sk);
    if (before !== undefined && before !== decoded.sha256) conflicts.push(`segment ${sk} has two contents`);
    if (before !== undefined) continue;
    contents.set(sk, decoded.sha256);
    for (const fact of decoded.segment.facts) facts.push(fact);
    texts.push(JSON.stringify(decoded.segment), body);
  }
  return { facts, segments: contents.size, repeated: bodies.length - contents.size, conflicts, text: texts.join("\n") };
}

function isGap(fact: Fact): fact is GapRecorded {
  return fact.kind === "GapRecorded";
}

function isNewTo(record: ReturnType<typeof emptyJob> | undefined, fact: JobFact): boolean {
  const before = record ?? emptyJob(fact.jobUid);
  return joinFacts(before, [fact]) !== before;
}

function explains({ resources, from, to }: GapRecorded, { resource, at }: TrueEvent): boolean {
  return resources.includes(resource) && at >= from - TOLERANCE_MILLIS && at <= to + TOLERANCE_MILLIS;
}

/** Both are derived at the same instant; the truth has no gaps. */
async function compareAnswers(truth: readonly Fact[], delivered: readonly Fact[], missing: readonly TrueFact[]) {
  const trueAnswers = await answers(truth);
  const deliveredAnswers = await answers(delivered.filter((fact) => isJobFact(fact) || isGap(fact)));
  const double: string[] = [];
  const unflagged: string[] = [];
  for (const [uid, right] of trueAnswers) {
    const answer = deliveredAnswers.get(uid);
    // A Job within a gap: its losses are counted there.
    if (answer === undefined) continue;
    for (const count of ["seen", "succeeded", "failed"] as const) {
      if (answer.pods[count] > right.pods[count]) {
        double.push(`${right.name}: ${answer.pods[count]} ${count} for ${right.pods[count]}`);
      }
    }
    const missed = missing.filter(({ fact }) => fact.jobUid === uid);
    if (answer.completeness.level === "complete" && !isSame(answer, right) && !isAllAfterEnd(missed, right)) {
      unflagged.push(`${right.name} says that it is complete: ${compared(answer)} for ${compared(right)}`);
    }
  }
  return { double, unflagged };
}

/** The answers that follow from facts, by uid. */
export async function answers(facts: readonly Fact[]): Promise<ReadonlyMap<string, JobAnswer>> {
  const folded = await foldFacts(oneBatch(facts));
  const answered = answersOf(folded, { cluster: "faults", now: folded.latestAt, pods: false });
  return new Map([...answered].map((answer) => [answer.uid, answer]));
}

async function* oneBatch(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}

function isSame(answer: JobAnswer, right: JobAnswer): boolean {
  return compared(answer) === compared(right);
}

function compared({ pods, status, verdict }: JobAnswer): string {
  return canonical([pods, status, verdict.state]);
}

/**
 * Completeness refers to a Job's life, which ends with its reported end (docs/decisions/0010-completeness.md). Later
 * changes of its Pods do not count.
 */
function isAllAfterEnd(missed: readonly TrueFact[], { finishedAt }: JobAnswer): boolean {
  return (
    finishedAt !== undefined && missed.length > 0 && missed.every(({ event }) => event.at > Date.parse(finishedAt))
  );
}

function describe(fact: JobFact): string {
  return `${fact.kind} ${"podUid" in fact ? fact.podUid : fact.jobUid} at ${fact.resourceVersion}`;
}

function uidOf(object: unknown): string {
  const { metadata } = object as { readonly metadata?: { readonly uid?: string } };
  return metadata?.uid ?? "";
}
