import { type Command, InvalidArgumentError, Option } from "commander";
import { MAX_WAIT_SECONDS } from "../../src/http/streams/long-poll.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { WaitGoal } from "../../src/query/job/wait-for-job.ts";
import { type Api, tryAsk } from "../../src/client/api-client.ts";
import { asArgument } from "../../src/command-line/as-argument.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { jobColumns, jobResourceName } from "../output/job-columns.ts";
import { pathOfJob } from "../query/job-location.ts";
import { withApi } from "../query/with-client.ts";
import { printAnswer } from "../output/print-answer.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import {
  addPlaceOptions,
  addQuestionOptions,
  type PlaceOptions,
  type PrintOptions,
  type SourceOptions,
} from "../options/query-options.ts";
import { parseTimeSpan } from "../options/time-span.ts";

interface WaitOptions extends SourceOptions, PrintOptions, PlaceOptions {
  readonly uid?: string;
  readonly for: WaitGoal;
  readonly timeout: number;
}

const STANDARD_TIMEOUT = "5m";

export function define(command: Command): void {
  command
    .argument("<job>", "NAME or job/NAME")
    .addOption(
      new Option("--for <goal>", "what to wait for")
        .choices(["complete", "failed", "finished", "condition=complete", "condition=failed"])
        .argParser(readGoal)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--timeout <span>", "how long to wait at most: 90s, 5m, 1h; 0 asks once")
        .argParser(asArgument(parseTimeSpan))
        .default(parseTimeSpan(STANDARD_TIMEOUT), STANDARD_TIMEOUT),
    )
    .option("--uid <uid>", "this incarnation of the name; the newest unless said");
  addQuestionOptions(addPlaceOptions(command)).action(async (job: string, options: WaitOptions) =>
    withApi(options, (api) => wait(api, job, options)),
  );
  addExamples(command, [
    [
      "outlive wait job/report -n batch --for=complete",
      "0 when it completes, also if it did long ago and is gone; 1 if it ended otherwise; 3 after 5 minutes",
    ],
    ["outlive wait job/report -n batch --for=finished --timeout=0", "ask once"],
  ]);
}

async function wait(api: Api, argument: string, options: WaitOptions): Promise<void> {
  const outcome = await waitFor(api, argument, options);
  switch (outcome.outcome) {
    case "met":
      return printJob(options, outcome.job);
    case "endedOtherwise":
      await printJob(options, outcome.job);
      throw new CommandFailure(1, `${argument} is ${describe(outcome.job)}, not ${options.for}.`);
    case "timedOut":
      await printJob(options, outcome.job);
      throw new CommandFailure(
        3,
        `Waited long enough: ${argument} is still ${describe(outcome.job)}. Wait longer with --timeout.`,
      );
    case "unknown":
      throw new CommandFailure(3, outcome.detail);
  }
}

type Waited =
  | { readonly outcome: "met" | "endedOtherwise" | "timedOut"; readonly job: JobAnswer }
  | { readonly outcome: "unknown"; readonly detail: string };

/** A server waits for so long at most: it is asked again until the time is over. */
async function waitFor(api: Api, argument: string, options: WaitOptions): Promise<Waited> {
  const deadline = Date.now() + options.timeout;
  for (;;) {
    const left = Math.max(0, deadline - Date.now());
    const timeoutSeconds = Math.min(MAX_WAIT_SECONDS, Math.ceil(left / 1_000));
    const path = await pathOfJob(api, argument, options, "/wait");
    const reply = await tryAsk<Waited>(api, path, { uid: options.uid, for: options.for, timeoutSeconds });
    if (reply.outcome === "refused" && reply.problem.status !== 404) throw new CommandFailure(2, reply.problem.detail);
    const waited: Waited =
      reply.outcome === "answered" ? reply.answer : { outcome: "unknown", detail: reply.problem.detail };
    const isOver = waited.outcome === "met" || waited.outcome === "endedOtherwise" || Date.now() >= deadline;
    if (isOver) return waited;
  }
}

async function printJob(options: WaitOptions, job: JobAnswer): Promise<void> {
  const columns = jobColumns(Date.now(), { cluster: false, namespace: false });
  await printAnswer(options, { document: job, rows: [job], columns, name: jobResourceName });
}

function describe({ verdict }: JobAnswer): string {
  return verdict.reason === undefined ? verdict.state : `${verdict.state} (${verdict.reason})`;
}

/** Also as `kubectl wait` spells it: `condition=complete`. */
function readGoal(text: string): WaitGoal {
  const goal = text.replace(/^condition=/, "").toLowerCase();
  if (goal === "complete" || goal === "failed" || goal === "finished") return goal;
  throw new InvalidArgumentError("Write complete, failed or finished.");
}
