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

const LOOK_MILLIS = 2_000;

/** Has the deployment rebuild its idle projection, and looks on until it ends. Who stops looking stops nothing. */
export async function replayDeployed(stack: string): Promise<void> {
  const name = (await readDeployment(stack)).output("ReplayFunction");
  const lambda = createLambdaClient();
  const invoke = async (command: ReplayCommand) => (await invokeFunction(lambda, name, command)) as ReplayAnswer;
  const begun = await invoke({ action: "begin" });
  if (begun.outcome === "refused") throw new CommandFailure(3, begun.reason);
  remark("The deployment replays its log. It goes on when this command is stopped.");
  tell(stack, await ended(async () => invoke({ action: "status" })));
}

async function ended(status: () => Promise<ReplayAnswer>): Promise<ReplayCheckpoint> {
  const progress = showProgress("Replaying segments");
  try {
    for (;;) {
      const answer = await status();
      if (answer.outcome !== "status" || answer.replay === undefined) throw new CommandFailure(2, NO_REPLAY);
      const { stage, segments } = answer.replay;
      if (stage.stage === "ended") return answer.replay;
      progress.at(segments, segments);
      await wait(LOOK_MILLIS);
    }
  } finally {
    progress.stop();
  }
}

const NO_REPLAY = "The deployment does not tell how far its replay is: deploy this release, then try again.";

function tell(stack: string, { stage, segments, building, failed }: ReplayCheckpoint): void {
  if (stage.stage === "ended" && stage.outcome === "switched") {
    return remark(`Rebuilt from ${count(segments, "segment")}; projection ${building} of ${stack} answers now.`);
  }
  throw new CommandFailure(
    1,
    `Of ${count(segments, "segment")} some could not be folded (${failed[0]?.sk ?? "unknown"} was the first that failed); the old projection goes on answering. The function's log names each with its reason.`,
  );
}
