import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { AwsError } from "../../src/adapters/aws/aws-error.ts";
import type { SignedEndpoint } from "../../src/adapters/aws/sign-request.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { FunctionFailedError, invokeFunction } from "../../src/adapters/lambda/invoke-function.ts";
import { createLambdaClient } from "../../src/adapters/lambda/lambda-client.ts";
import type { ReplayStage } from "../../src/ports/records/replay/replay-checkpoint.ts";
import type { ReplayAnswer, ReplayCommand } from "../../src/upkeep/replay/replay-command.ts";
import { processEnvironment } from "../../src/host/runtime/process-environment.ts";
import { type Execution, readExecution, startExecution } from "../../src/adapters/stepfunctions/executions.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { type Progress, showProgress } from "../output/progress-bar.ts";
import { readDeployment } from "./deployment.ts";

const POLL_MILLIS = 2_000;

export interface DeployedReplay {
  readonly stage: string;
  readonly isTrial: boolean;
  /** Whether to continue an interrupted replay instead of starting one. */
  readonly isResumed: boolean;
}

/** Starts a replay in the deployment and waits for its end. The replay continues if this command is stopped. */
export async function replayDeployed({ stage, isTrial, isResumed }: DeployedReplay): Promise<void> {
  const deployment = await readDeployment(stage);
  const lambda = createLambdaClient();
  const { config } = lambda;
  const endpoint: SignedEndpoint = {
    region: () => config.region(),
    credentials: () => config.credentials(),
    endpoint: processEnvironment()["AWS_ENDPOINT_URL"],
  };
  const status = async () => {
    const command: ReplayCommand = { action: "status" };
    return (await invokeFunction(lambda, deployment.output("ReplayFunction"), command)) as ReplayAnswer;
  };
  const action = isResumed ? "resume" : isTrial ? "try" : "begin";
  const execution = await startExecution(endpoint, deployment.output("ReplayMachine"), { action });
  remark("The deployment replays its log. The replay continues if you stop this command.");
  report(stage, await awaitEnd(() => readExecution(endpoint, execution), status));
}

async function awaitEnd(read: () => Promise<Execution>, status: () => Promise<ReplayAnswer>): Promise<Execution> {
  const shown = new StageProgress();
  try {
    for (;;) {
      const execution = await read();
      if (execution.status !== "running") return execution;
      const answer = await status().catch(unknownProgress);
      if (answer?.outcome === "status") shown.at(answer);
      await wait(POLL_MILLIS);
    }
  } finally {
    shown.stop();
  }
}

/** A progress bar for the units of each stage. */
class StageProgress {
  #shown: { readonly what: string; readonly progress: Progress } | undefined;

  at({ replay, progress }: Extract<ReplayAnswer, { readonly outcome: "status" }>): void {
    if (replay === undefined || progress === undefined) return;
    const what = UNITS[replay.stage.stage];
    if (this.#shown?.what !== what) {
      this.stop();
      this.#shown = { what, progress: showProgress(what) };
    }
    this.#shown.progress.at(progress.done, progress.units);
  }

  stop(): void {
    this.#shown?.progress.stop();
  }
}

/** What the units of each stage do. */
const UNITS: Readonly<Record<ReplayStage["stage"], string>> = {
  clearing: "Preparing the replay",
  spreading: "Reading the log",
  joining: "Correcting Jobs",
  joiningRuns: "Correcting runs",
  folding: "Projecting what has arrived since",
  ended: "Ending the replay",
};

/** The replay does not depend on who watches it: the function may be throttled, or killed like its workers. */
function unknownProgress(cause: unknown): undefined {
  if (!(cause instanceof FunctionFailedError) && !(cause instanceof AwsError)) throw cause;
}

const finished = v.object({ outcome: v.picklist(["switched", "kept"]), live: v.string(), segments: v.number() });

function report(stage: string, execution: Execution): void {
  if (execution.status !== "succeeded") throw failureOf(execution);
  const { outcome, live, segments } = v.parse(finished, execution.output);
  const replayed = `Replayed ${count(segments, "segment")}.`;
  if (outcome === "switched") return remark(`${replayed} Projection ${live} of ${stage} is live.`);
  remark(
    `${replayed} Projection ${live} of ${stage} still answers, and the other one is complete. ` +
      `Compare them with "outlive compare --stage ${stage}".`,
  );
}

/** Exit status 3 means that another replay is running, or that there is none to resume. */
function failureOf(execution: Execution): CommandFailure {
  const { error, cause } = execution.status === "failed" ? execution : { error: "", cause: "" };
  const isRefused = error === "ReplayRefused" || error === "ReplayOvertaken";
  const more = isRefused ? "" : " The log of the replay function has the reasons.";
  return new CommandFailure(isRefused ? 3 : 1, `The replay failed (${error}). ${cause}${more}`);
}
