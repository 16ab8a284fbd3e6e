import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { CronRunsAnswer } from "../../query/cron-jobs/cron-runs.ts";
import type { OneJob } from "../../query/job/get-job.ts";
import { cronRunsPath, jobPath, runPath } from "../contract/api-paths.ts";
import { read } from "./ask.ts";
import { findTarget } from "./find-target.ts";
import type { Subject } from "./subject.ts";
import type { TargetArguments } from "./target.ts";
import type { ToolContext } from "./tool.ts";

/** A target with its answer. */
export type ReadSubject =
  | { readonly type: "job"; readonly subject: Subject; readonly answer: OneJob }
  | { readonly type: "run"; readonly subject: Subject; readonly answer: RunAnswer }
  | { readonly type: "cronjob"; readonly subject: Subject; readonly answer: CronRunsAnswer };

/** A target that is no CronJob. */
export type JobOrRun = Exclude<ReadSubject, { readonly type: "cronjob" }>;

/** Finds what the arguments name, and reads the answer about it. */
export async function readSubject({ ask }: ToolContext, given: TargetArguments): Promise<ReadSubject> {
  const subject = await findTarget(ask, given);
  const { uid } = subject;
  switch (subject.kind) {
    case "job":
      return { type: "job", subject, answer: await read(ask, jobPath(subject), { uid }) };
    case "cronjob":
      return { type: "cronjob", subject, answer: await read(ask, cronRunsPath(subject)) };
    default:
      return { type: "run", subject, answer: await read(ask, runPath(subject), { uid }) };
  }
}

/** The path of a part of a Job or a run. */
export function partOf(subject: Subject, part: string): string {
  return subject.kind === "job" ? jobPath(subject, part) : runPath(subject, part);
}
