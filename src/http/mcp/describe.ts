import * as v from "valibot";
import type {
  Attempt,
  Attribution,
  Cause,
  Finding,
  JobAnswer,
  QueueAnswer,
  Waiting,
} from "../../explain/answer-document.ts";
import { count, maybe, text, whole } from "../../explain/answer-parts.ts";
import type { RunAnswer, RunAttemptAnswer } from "../../explain/run/run-document.ts";
import { completenessOf, evidenceOf } from "./answer.ts";
import { marked, plain, untrusted } from "./marked.ts";
import { jobSentence, runSentence } from "./sentence.ts";
import { linkTo, presentSubject, type Subject, subjectEntries, targetOf } from "./subject.ts";

/** What the answers about a Job and about a run have in common. */
export const subjectAnswerEntries = {
  ...subjectEntries,
  state: text,
  reason: maybe(text),
  final: v.pipe(v.boolean(), v.description("Whether the state can no longer change.")),
  since: maybe(text),
} as const;

export const causeEntry = {
  cause: maybe(
    v.object({
      category: text,
      responsible: v.pipe(text, v.description("Who has to act on it.")),
      retry: v.pipe(text, v.description("What the next run needs in order not to fail again.")),
      attempts: count,
      job: maybe(text),
      pod: maybe(text),
      ...untrusted,
    }),
  ),
};

export const waitingEntry = {
  waiting: maybe(v.object({ reason: text, since: text, podCount: count, job: maybe(text), ...untrusted })),
};

export const timesEntries = {
  createdAt: maybe(text),
  startedAt: maybe(text),
  finishedAt: maybe(text),
  deletedAt: maybe(text),
  deletedBy: maybe(v.object({ actor: maybe(text), confidence: text, ...untrusted })),
} as const;

export const findingSchema = v.object({ kind: text, since: maybe(text), podCount: maybe(count), ...untrusted });

export const podSchema = v.object({
  name: maybe(text),
  uid: maybe(text),
  index: maybe(count),
  node: maybe(text),
  outcome: text,
  category: maybe(text),
  exitCode: maybe(whole),
  reason: maybe(text),
  restarts: count,
  createdAt: text,
  startedAt: maybe(text),
  finishedAt: maybe(text),
  deletedAt: maybe(text),
  deletedBy: timesEntries.deletedBy,
  ...untrusted,
});

export const attemptSchema = v.object({
  number: count,
  state: text,
  startedAt: maybe(text),
  endedAt: maybe(text),
  firstFailure: maybe(
    v.object({ job: maybe(text), pod: maybe(text), exitCode: maybe(whole), category: text, at: text, ...untrusted }),
  ),
  jobCount: count,
});

export const runJobSchema = v.object({
  ...subjectEntries,
  attempt: count,
  state: text,
  role: maybe(text),
});

interface HeadParts {
  /** @default the sentence of its state */
  readonly sentence?: string;
  /** Texts from the cluster about it. */
  readonly texts?: Parameters<typeof presentSubject>[1];
}

/** The head of every answer about a Job or a run. */
export function headOf(answer: JobAnswer | RunAnswer, page: string | undefined, { sentence, texts }: HeadParts = {}) {
  const { verdict, cause, waiting, findings, deletedBy } = answer;
  const subject = subjectOf(answer);
  const facts = evidenceOf(
    cause?.evidence,
    waiting?.evidence,
    ...findings.map((finding) => finding.evidence),
    deletedBy?.evidence,
    isRun(answer) ? undefined : reportedFact(answer),
  );
  return {
    sentence: sentence ?? (isRun(answer) ? runSentence(answer) : jobSentence(answer)),
    ...presentSubject(subject, texts),
    ...verdictOf(verdict),
    asOf: answer.asOf.time,
    ...completenessOf(answer.completeness),
    evidence: facts,
    ...linkTo(page, subject),
  };
}

function reportedFact({ reported, name }: JobAnswer): JobAnswer["findings"][number]["evidence"] {
  if (reported === undefined) return [];
  const { resourceVersion, observedAt } = reported;
  return [{ kind: "JobReported", resourceVersion, object: `job/${name}`, time: observedAt }];
}

/** The state. A reason that may be a sentence is left out: the headline of `why` has it. */
function verdictOf({ state, reason, final, since }: RunAnswer["verdict"]) {
  const word = plain(reason);
  return {
    state,
    ...(word !== undefined && { reason: word }),
    final,
    ...(since !== undefined && { since }),
  };
}

export function timesOf({
  createdAt,
  startedAt,
  finishedAt,
  deletedAt,
  deletedBy,
}: Partial<Pick<JobAnswer, keyof typeof timesEntries>>) {
  return {
    ...(createdAt !== undefined && { createdAt }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(deletedAt !== undefined && { deletedAt }),
    ...(deletedBy && { deletedBy: describeAttribution(deletedBy) }),
  };
}

function describeAttribution({ actor, cause, confidence }: Attribution) {
  return { ...marked({ actor }, { cause }), confidence };
}

export function describeCause(cause: Cause & { readonly job?: string; readonly pod?: string }) {
  const { category, responsible, retry, attempts, message, job, pod = cause.pods?.[0]?.name } = cause;
  return { category, responsible, retry, attempts, ...marked({ job, pod }, { message }) };
}

export function describeWaiting({ reason, since, podCount, message, job }: Waiting & { readonly job?: string }) {
  return { reason, since, podCount, ...marked({ job }, { message }) };
}

export function describeFinding({
  kind,
  message,
  since,
  podCount,
}: Pick<Finding, "message" | "since" | "podCount"> & { readonly kind: string }) {
  return {
    kind,
    ...(since !== undefined && { since }),
    ...(podCount !== undefined && { podCount }),
    ...marked({}, { message }),
  };
}

export function describePod(pod: Attempt) {
  const { name, uid, index, node, outcome, category, exitCode, reason, message, cause, restarts } = pod;
  return {
    ...marked({ name, uid, node, reason }, { message, cause }),
    ...(index !== undefined && { index }),
    outcome,
    ...(category !== undefined && { category }),
    ...(exitCode !== undefined && { exitCode }),
    restarts,
    ...timesOf(pod),
    createdAt: pod.createdAt,
  };
}

export function describeAttempt({ number, state, startedAt, endedAt, firstFailure, jobs }: RunAttemptAnswer) {
  return {
    number,
    state,
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(firstFailure && { firstFailure: describeFailure(firstFailure) }),
    jobCount: jobs.length,
  };
}

function describeFailure({ job, pod, exitCode, category, at }: NonNullable<RunAttemptAnswer["firstFailure"]>) {
  return { ...marked({ job, pod }), ...(exitCode !== undefined && { exitCode }), category, at };
}

/** The Jobs of the attempts, the last attempt first. */
export function runJobs({ cluster, namespace, attempts }: RunAnswer) {
  return attempts.toReversed().flatMap(({ number, jobs }) =>
    jobs.map(({ name, uid, state, role }) => ({
      ...presentSubject({ cluster, namespace, kind: "job", name, uid }, {}, { role }),
      attempt: number,
      state,
    })),
  );
}

export const queueSchema = v.object({
  name: maybe(text),
  clusterQueue: maybe(text),
  admittedAt: v.array(text),
  waitCount: count,
  evictionCount: count,
  ...untrusted,
});

const MOST_ADMISSIONS = 3;

export function describeQueue({ name, clusterQueue, admittedAt, waits, evictions }: QueueAnswer) {
  return {
    ...marked({ name, clusterQueue }),
    admittedAt: admittedAt.slice(-MOST_ADMISSIONS),
    waitCount: waits.length,
    evictionCount: evictions.length,
  };
}

/** What the Job belongs to. */
export function belongsTo({
  cluster,
  namespace,
  run,
  series,
}: Pick<JobAnswer, "cluster" | "namespace" | "run" | "series">) {
  const ofRun = run.kind === "Job" ? undefined : targetOf({ cluster, namespace, ...run });
  const ofSeries = series && targetOf({ cluster, namespace, ...series });
  return { ...(ofRun !== undefined && { run: ofRun }), ...(ofSeries !== undefined && { series: ofSeries }) };
}

const MOST_LABEL_CHARACTERS = 600;
/** Quotation marks, a colon and a comma, which are escaped once more in the text of the result. */
const CHARACTERS_BESIDE = 8;

/** As many labels or ids as fit, in their order. */
export function someOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let length = 0;
  const some = Object.entries(texts).filter(
    ([key, value]) => (length += key.length + value.length + CHARACTERS_BESIDE) <= MOST_LABEL_CHARACTERS,
  );
  return Object.fromEntries(some);
}

/** Whether the answer is about a run that has a parent, and not about a Job. */
export function isRun(answer: JobAnswer | RunAnswer): answer is RunAnswer {
  return "kind" in answer;
}

/** A Job or a run as one of the subjects of tools. */
export function subjectOf(answer: JobAnswer | RunAnswer): Subject {
  const { cluster, namespace, name, uid } = answer;
  return { cluster, namespace, kind: isRun(answer) ? answer.kind : "job", name, uid };
}
