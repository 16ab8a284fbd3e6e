import { setTimeout as wait } from "node:timers/promises";
import { count } from "../../src/text/sentence.ts";
import { invokeFunction } from "../../src/lambda/invoke-function.ts";
import { createLambdaClient } from "../../src/lambda/lambda-client.ts";
import type { ReplayCheckpoint } from "../../src/ports/records/replay-checkpoint.ts";
import type { ReplayAnswer, ReplayCommand } from "../../src/replay/replay-command.ts";
import { readDeployment } from "./deployment.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";

const POLL_MILLIS = 2_000;

/** Starts a replay in the deployment and waits for its end. The replay continues if this command is stopped. */
export async function replayDeployed(stack: string, isTrial: boolean): Promise<void> {
  const name = (await readDeployment(stack)).output("ReplayFunction");
  const lambda = createLambdaClient();
  const invoke = async (command: ReplayCommand) => (await invokeFunction(lambda, name, command)) as ReplayAnswer;
  const begun = await invoke({ action: isTrial ? "try" : "begin" });
  if (begun.outcome === "refused") throw new CommandFailure(3, begun.reason);
  remark("The deployment replays its log. The replay continues if you stop this command.");
  report(stack, await awaitEnd(async () => invoke({ action: "status" })));
}

async function awaitEnd(status: () => Promise<ReplayAnswer>): Promise<ReplayCheckpoint> {
  const progress = showProgress("Replaying segments");
  try {
    for (;;) {
      const answer = await status();
      if (answer.outcome !== "status" || answer.replay === undefined) throw new CommandFailure(2, NO_REPLAY);
      const { stage, segments } = answer.replay;
      if (stage.stage === "ended") return answer.replay;
      progress.at(segments, segments);
      await wait(POLL_MILLIS);
    }
  } finally {
    progress.stop();
  }
}

const NO_REPLAY = "The deployment does not report the progress of its replay. Deploy this release, then try again.";

function report(stack: string, { stage, segments, building, failed }: ReplayCheckpoint): void {
  if (stage.stage === "ended" && stage.outcome === "switched") {
    return remark(`Replayed ${count(segments, "segment")}. Projection ${building} of ${stack} is live.`);
  }
  if (stage.stage === "ended" && stage.outcome === "kept") {
    return remark(
      `Replayed ${count(segments, "segment")}. Projection ${building} of ${stack} is complete, and the other one ` +
        `still answers. Compare them with "outlive compare --stack ${stack}".`,
    );
  }
  throw new CommandFailure(
    1,
    `Could not project some of ${count(segments, "segment")}; the first is ${failed[0]?.sk ?? "unknown"}. ` +
      "The earlier projection stays live. The log of the function has the reason for each segment.",
  );
}
