import { type Command, InvalidArgumentError, Option } from "commander";
import { MAX_WAIT_SECONDS } from "../../src/http/streams/long-poll.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { WaitGoal } from "../../src/query/job/wait-for-job.ts";
import { type ApiClient, apiError, tryGetJson } from "../../src/host/client/api-client.ts";
import { NotFoundError } from "../../src/host/client/api-error.ts";
import { asArgument } from "../../src/host/command-line/as-argument.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { runColumns, runResourceName } from "../output/run-columns.ts";
import { type PathOf, withTarget } from "../query/with-job.ts";
import { withClient } from "../query/with-client.ts";
import { printAnswer } from "../output/print-answer.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import {
  addJobLocationOptions,
  addQueryOptions,
  type JobLocationOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { readSpan } from "../options/read-span.ts";

interface WaitOptions extends SourceOptions, PrintOptions, JobLocationOptions {
  readonly uid?: string;
  readonly for: WaitGoal;
  readonly timeout: number;
}

const STANDARD_TIMEOUT = "5m";

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME, or a run: jobset/NAME")
    .addOption(
      new Option("--for <goal>", "state to wait for")
        .choices(["complete", "failed", "finished", "condition=complete", "condition=failed"])
        .argParser(readGoal)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--timeout <span>", "maximum time to wait: 90s, 5m, 1h; 0 checks once")
        .argParser(asArgument(readSpan))
        .default(readSpan(STANDARD_TIMEOUT), STANDARD_TIMEOUT),
    )
    .option("--uid <uid>", "Job of this name with this uid (default: the newest)");
  addQueryOptions(addJobLocationOptions(command)).action(async (job: string, options: WaitOptions) =>
    withClient(options, (api) => wait(api, job, options)),
  );
  addExamples(command, [
    [
      "outlive wait job/report -n batch --for=complete",
      "wait for the Job to complete, up to 5 minutes; also answers for a Job that is deleted",
    ],
    ["outlive wait jobset/train -n ml --for=complete", "wait for a run to complete, with all its attempts"],
    ["outlive wait job/report -n batch --for=finished --timeout=0", "check once, without waiting"],
  ]);
}

async function wait(api: ApiClient, argument: string, options: WaitOptions): Promise<void> {
  const { outcome, job, run } = await waitFor(api, argument, options);
  if (job !== undefined) await printJob(options, job);
  if (run !== undefined) await printRun(options, run);
  const verdict = describe(job ?? run);
  switch (outcome) {
    case "met":
      return;
    case "endedOtherwise":
      throw new CommandFailure(1, `${argument} is ${verdict}, not ${options.for}.`);
    case "timedOut":
      throw new CommandFailure(3, `Timed out: ${argument} is still ${verdict}. Wait longer with --timeout.`);
  }
}

interface Waited {
  readonly outcome: "met" | "endedOtherwise" | "timedOut";
  readonly job?: JobAnswer;
  readonly run?: RunAnswer;
}

/** Fails with status 3 if the Job is still unknown when the time is over. */
async function waitFor(api: ApiClient, argument: string, options: WaitOptions): Promise<Waited> {
  const deadline = Date.now() + options.timeout;
  try {
    const read = (pathOf: PathOf) => poll(api, pathOf("/wait"), { ...options, deadline });
    return await withTarget({ api, argument, options }, { job: read, run: read });
  } catch (cause) {
    if (cause instanceof NotFoundError) throw new CommandFailure(3, cause.message, { cause });
    throw cause;
  }
}

/** Polls until the Job has ended or the time is over. One request to a server waits for a limited time only. */
async function poll(
  api: ApiClient,
  path: string,
  { uid, for: goal, deadline }: WaitOptions & { readonly deadline: number },
): Promise<Waited> {
  for (;;) {
    const left = Math.max(0, deadline - Date.now());
    const timeoutSeconds = Math.min(MAX_WAIT_SECONDS, Math.ceil(left / 1_000));
    const result = await tryGetJson<Waited>(api, path, { uid, for: goal, timeoutSeconds });
    const isOver = Date.now() >= deadline;
    if (result.outcome === "answered") {
      if (isOver || result.answer.outcome !== "timedOut") return result.answer;
    } else if (isOver || result.problem.status !== 404) {
      throw apiError(result.problem);
    }
  }
}

async function printJob(options: WaitOptions, job: JobAnswer): Promise<void> {
  const columns = jobColumns(Date.now(), { cluster: false, namespace: false });
  await printAnswer(options, { document: job, rows: [job], columns, name: jobResourceName });
}

async function printRun(options: WaitOptions, run: RunAnswer): Promise<void> {
  const columns = runColumns(Date.now(), { cluster: false, namespace: false });
  await printAnswer(options, { document: run, rows: [run], columns, name: runResourceName });
}

function describe(answer: JobAnswer | RunAnswer | undefined): string {
  const verdict = answer?.verdict ?? { state: "Unknown" as const, reason: undefined };
  return verdict.reason === undefined ? verdict.state : `${verdict.state} (${verdict.reason})`;
}

/** Also accepts the notation of `kubectl wait`: `condition=complete`. */
function readGoal(text: string): WaitGoal {
  const goal = text.replace(/^condition=/, "").toLowerCase();
  if (goal === "complete" || goal === "failed" || goal === "finished") return goal;
  throw new InvalidArgumentError("Write complete, failed or finished.");
}
