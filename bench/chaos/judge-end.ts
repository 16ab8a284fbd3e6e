import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { itemsOf } from "../../src/kubernetes/json/json-field.ts";
import { canonical } from "../../src/job/model/canonical.ts";
import { answerOf } from "./reader.ts";
import type { TrueJob } from "./truth.ts";
import type { Violation } from "./violation.ts";

export interface EndOptions {
  readonly api: string;
  readonly cluster: string;
  readonly truth: ReadonlyMap<string, TrueJob>;
  /** The answers that follow from what the queue accepted, by uid; only of the exporters' cluster. */
  readonly accepted?: ReadonlyMap<string, JobAnswer>;
}

interface Gap {
  readonly from: string;
  readonly to: string;
}

/** Compares the answer about each Job with the truth, after everything has arrived. */
export async function judgeEnd(options: EndOptions): Promise<readonly Violation[]> {
  const { api, cluster, truth } = options;
  const gaps = itemsOf(await found(`${api}/v1/gaps?cluster=${cluster}&limit=1000`, "items")) as readonly Gap[];
  const violations: Violation[] = [];
  for (const job of truth.values()) {
    const path = `/v1/clusters/${cluster}/namespaces/${job.answer.namespace}/jobs/${job.name}?uid=${job.uid}`;
    const body = await insist(`${api}${path}`);
    const answer = body === "not found" ? undefined : (body as unknown as JobAnswer);
    violations.push(...judgeJob({ ...options, job, answer, gaps }));
  }
  return violations;
}

interface Judged extends EndOptions {
  readonly job: TrueJob;
  readonly answer: JobAnswer | undefined;
  readonly gaps: readonly Gap[];
}

function judgeJob({ cluster, job, answer, accepted, gaps }: Judged): readonly Violation[] {
  const subject = `${cluster} ${job.name}`;
  const followed = accepted?.get(job.uid);
  // Where only the end of a Job was observed, its name is unknown, and no question by name can find it.
  const expected = followed?.name === job.name ? followed : undefined;
  if (accepted !== undefined && compared(answer) !== compared(expected)) {
    const detail = `${compared(answer)} for ${compared(expected)}`;
    return [{ rule: "no fact is lost between queue and answer", subject, detail }];
  }
  if (answer === undefined) {
    return isInGap(job, gaps)
      ? []
      : [{ rule: "no fact is lost between cluster and queue", subject, detail: "not known, outside every gap" }];
  }
  if (answer.completeness.level !== "complete" || isSame(answer, job.answer, gaps)) return [];
  const detail = `${compared(answer)} for ${compared(job.answer)}`;
  return [{ rule: "an answer that is complete is right", subject, detail }];
}

/** Completeness refers to a Job's life: a gap after its end does not lower it (docs/decisions/0010-completeness.md). */
function isSame(answer: JobAnswer, right: JobAnswer, gaps: readonly Gap[]): boolean {
  if (compared(answer) === compared(right)) return true;
  const { finishedAt } = answer;
  const isGapLater = finishedAt !== undefined && gaps.some(({ to }) => Date.parse(to) >= Date.parse(finishedAt));
  return isGapLater && answer.verdict.state === right.verdict.state && answer.pods.succeeded <= right.pods.succeeded;
}

function compared(answer: JobAnswer | undefined): string {
  if (answer === undefined) return "not known";
  const { pods, status, verdict } = answer;
  return canonical([pods, status, verdict.state]);
}

/** Its whole life is in a gap, up to the whole seconds in which gaps are stated. */
function isInGap({ steps }: TrueJob, gaps: readonly Gap[]): boolean {
  const [from = 0, to = 0] = [steps[0]?.at, steps.at(-1)?.at];
  return gaps.some((gap) => Date.parse(gap.from) <= to + 2500 && Date.parse(gap.to) >= from - 2500);
}

/** Jobs that are not final must be marked as stale once their cluster has been silent for long enough. */
export async function judgeSilence({ api, cluster, truth }: EndOptions): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  let open = 0;
  for (const { answer: right, name, uid, isGone } of truth.values()) {
    if (isGone) continue;
    const body = await insist(`${api}/v1/clusters/${cluster}/namespaces/${right.namespace}/jobs/${name}?uid=${uid}`);
    if (body === "not found") continue;
    const { verdict, completeness, deletedAt } = body as unknown as JobAnswer;
    if (verdict.final || deletedAt !== undefined) continue;
    open += 1;
    if (completeness.level === "stale" && completeness.heardAt !== undefined) continue;
    const detail = `${completeness.level} after a silence of ten minutes`;
    violations.push({ rule: "a stale answer is marked", subject: `${cluster} ${name}`, detail });
  }
  if (open > 0) return violations;
  return [{ rule: "a stale answer is marked", subject: cluster, detail: "no open Job was left to check" }];
}

async function found(url: string, field: string): Promise<unknown> {
  const body = await insist(url);
  return body === "not found" ? [] : body[field];
}

const PATIENCE_MILLIS = 120_000;

/** A server that was just started again needs a moment. */
async function insist(url: string) {
  for (const end = Date.now() + PATIENCE_MILLIS; Date.now() < end;) {
    const body = await answerOf(url);
    if (body !== "unanswered") return body;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${url} did not answer with status 200.`);
}
