import type { Responsibility } from "../../src/job/cause/responsibility.ts";

/** What truly happened to a Job. */
export type TrueCause =
  | "none"
  | "program"
  | "final by policy"
  | "memory limit"
  | "deadline"
  | "configuration"
  | "platform"
  | "person"
  | "collateral";

type Expected = Pick<Responsibility, "responsible"> & { readonly retries: readonly Responsibility["retry"][] };

/** What the answer has to say, by the contract. `undefined`: nothing. */
export const EXPECTED: Readonly<Record<TrueCause, Expected | undefined>> = {
  none: undefined,
  program: { responsible: "program", retries: ["unknown"] },
  "final by policy": { responsible: "program", retries: ["pointless"] },
  "memory limit": { responsible: "limit", retries: ["more-memory"] },
  deadline: { responsible: "limit", retries: ["more-time"] },
  configuration: { responsible: "configuration", retries: ["after-a-fix"] },
  platform: { responsible: "platform", retries: ["same", "other-node"] },
  person: { responsible: "person", retries: ["unknown"] },
  // Its parent deleted it because another Job had ended: the contract has no word for that.
  collateral: { responsible: "unknown", retries: ["unknown"] },
};

interface TrueEnd {
  readonly exitCode?: number;
  /** "its own end", "exit", "killed", "its answer to SIGTERM", "kubelet-restart" ... Absent: its own end. */
  readonly why?: string;
}
interface TrueAttempt {
  readonly uid: string;
  readonly jobUid: string;
  readonly reason?: string;
  readonly runs: readonly TrueEnd[];
  readonly others?: readonly TrueEnd[];
}
interface TrueJob {
  readonly name: string;
  readonly uid: string;
  readonly deleted?: unknown;
  readonly reported?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
/** The oracle beside a recording: what the containers did, and who deleted what. */
export interface TruthFile {
  readonly scenario: string;
  readonly jobs: readonly TrueJob[];
  readonly attempts: readonly TrueAttempt[];
  readonly deletions?: readonly { readonly by: string; readonly uid?: string; readonly code?: number }[];
}

/** The true cause of each Job that has ended, by uid. */
export function trueCauses(truth: TruthFile): ReadonlyMap<string, TrueCause> {
  const ended = truth.jobs.filter(hasEnded);
  return new Map(ended.map((job) => [job.uid, scenarioCause(truth, job) ?? recordedCause(truth, job)]));
}

function hasEnded(job: TrueJob): boolean {
  const { deleted } = job;
  return (deleted !== undefined && deleted !== false && deleted !== null) || hasFinished(job);
}

function hasFinished({ reported }: TrueJob): boolean {
  return (reported?.conditions ?? []).some(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  );
}

/**
 * What only the scenario knows, by recording and Job: how the API objects were made, what was taken away from outside,
 * and why. `*` ends the beginning of a name. The README.md of each folder of recordings describes the scenarios.
 */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, TrueCause>>>> = {
  "containerd-restart": { "ends-while-down*": "platform", "killed-below": "platform" },
  deadline: { "report-job-deadline-running": "deadline", "report-pod-deadline": "deadline" },
  deadlines: { "*": "deadline" },
  "failure-policy": { "sync-ignore": "platform", "sync-fatal": "final by policy" },
  images: { "*": "configuration" },
  "jobset-by-hand": { "nightly-*": "person", "mistake-*": "person" },
  "jobset-rules": { "import-reader-1": "final by policy", "simulate-cell-1": "platform" },
  "kubelet-restart": { "ingest-restarted": "platform" },
  "kubelet-restart-old": { "ingest-restarted": "platform" },
  "kueue-parents": { "second-*": "platform" },
  "kueue-quota": { digest: "platform" },
  "kueue-tenants": { "blue-3": "platform", "blue-4": "platform" },
  "kueue-timeouts": { "slow-start": "platform", paused: "person" },
  "node-pressure": { "*": "platform" },
  oom: { "*": "memory limit" },
  "plain-old-node": { eats: "memory limit", "no-image": "configuration" },
  preemption: { "batch*": "platform" },
  "ray-jobs": { draft: "person" },
  "suspend-resume": { batch: "person" },
  unschedulable: { "*": "configuration" },
  // Kubernetes counted the success of the Pod that answered its deletion with 0.
  "user-deletes-node": { "answers-0": "none" },
};

/** Scenarios in which the stand-in kubelet plays OOMKilled, with this exit code, for containers without a limit. */
const PLAYED_OOM: Readonly<Record<string, number>> = { "mixed-2000": 137, "jobset-restarts": 137 };

/** Its Jobs are made again under the same names: some are deleted before their program fails, the last ones go well. */
const MADE_AGAIN = "jobset-rules";

function scenarioCause({ scenario, attempts }: TruthFile, { name, uid }: TrueJob): TrueCause | undefined {
  const jobs = Object.entries(SCENARIOS[scenario] ?? {});
  const found = jobs.find(([job]) => (job.endsWith("*") ? name.startsWith(job.slice(0, -1)) : name === job))?.[1];
  if (scenario !== MADE_AGAIN) return found;
  return attempts.some((attempt) => attempt.jobUid === uid && ends(attempt).some(isOwnFailure)) ? found : undefined;
}

/** By what most attempts ended for: their containers, or the client that deleted them. In a tie, the first counts. */
function recordedCause(truth: TruthFile, job: TrueJob): TrueCause {
  const { uid } = job;
  const causes = truth.attempts.flatMap((attempt) =>
    attempt.jobUid === uid ? (attemptCause(truth, attempt) ?? []) : [],
  );
  const counted = Map.groupBy(causes, (cause) => cause);
  const most = [...counted].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
  return most ?? (hasFinished(job) ? "none" : deletionCause(deleters(truth, uid)));
}

function attemptCause(truth: TruthFile, attempt: TrueAttempt): TrueCause | undefined {
  const failed = attempt.reason === undefined ? ends(attempt).find(isOwnFailure) : undefined;
  if (failed !== undefined) return failed.exitCode === PLAYED_OOM[truth.scenario] ? "platform" : "program";
  if (!ends(attempt).some(isStopped)) return undefined;
  const { jobUid, uid } = attempt;
  const by = [uid, jobUid].flatMap((of) => deleters(truth, of));
  return by.length === 0 ? undefined : deletionCause(by);
}

function deletionCause(by: readonly string[]): TrueCause {
  return by.some(isPerson) ? "person" : "collateral";
}

function ends({ runs, others = [] }: TrueAttempt): readonly TrueEnd[] {
  return [...runs, ...others];
}

const OWN: ReadonlySet<string> = new Set(["its own end", "exit"]);
const STOPPED: ReadonlySet<string> = new Set(["deleted", "killed", "its answer to SIGTERM"]);

function isOwnFailure(end: TrueEnd): boolean {
  return isUnsuccessful(end) && (end.why === undefined || OWN.has(end.why));
}

function isUnsuccessful({ exitCode }: TrueEnd): boolean {
  return exitCode !== undefined && exitCode !== 0;
}

function isStopped({ why = "" }: TrueEnd): boolean {
  return STOPPED.has(why);
}

/** The user whose request deleted an object. A kubelet only completes the deletions of others. */
function deleters({ deletions = [] }: TruthFile, uid: string): readonly string[] {
  const of = deletions.filter((deletion) => deletion.uid === uid && (deletion.code ?? 200) < 300);
  return of.map(({ by }) => by).filter((by) => !by.startsWith("system:node:") && !by.endsWith("kubelet"));
}

function isPerson(user: string): boolean {
  return !user.startsWith("system:");
}
