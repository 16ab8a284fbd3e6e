import type { Command } from "commander";
import { errorMessage } from "../../../src/job/text/error-message.ts";
import { count } from "../../../src/job/text/sentence.ts";
import type { Rebuilt } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { LONG_BUSY_MILLIS } from "../../../src/host/embedded/embedded-tracker.ts";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { remark } from "../../output/print-answer.ts";
import { showProgress } from "../../output/progress-bar.ts";
import { addExamples } from "../../../src/host/command-line/add-examples.ts";
import { despiteOption } from "../../options/despite-option.ts";
import { databaseOption } from "../../options/query-options.ts";
import { stageOption } from "../../options/registry-options.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";

export function define(command: Command): void {
  command
    .addOption(databaseOption())
    .addOption(stageOption())
    .option("--trial", "keep the result beside the projection that answers, to compare it and to switch to it")
    .option("--resume", "continue a replay of a deployment whose workers failed; units that are done are not repeated")
    .addOption(despiteOption("switch although the log of the file is damaged, for this recorded reason"))
    .action(replay);
  addExamples(command, [
    ["outlive replay", "rebuild the projection of ./outlive.sqlite; queries continue to work"],
    ['outlive replay --despite "there is no backup"', "rebuild without the rows of the log that are damaged"],
    ["outlive replay --trial", "try this release's projection beside the one that answers"],
    ["outlive replay --stage prod", "rebuild the projection of a deployment on AWS; continues if you stop the command"],
  ]);
}

interface ReplayOptions {
  readonly database: string;
  readonly stage?: string;
  readonly trial?: boolean;
  readonly resume?: boolean;
  readonly despite?: string;
}

async function replay(options: ReplayOptions): Promise<void> {
  const { database, stage, trial = false, resume = false, despite } = options;
  if (stage !== undefined) {
    if (despite !== undefined) throw new CommandFailure(2, DESPITE_NEEDS_FILE);
    const { replayDeployed } = await import("../../deployment/deployed-replay.ts");
    return replayDeployed({ stage, isTrial: trial, isResumed: resume });
  }
  if (resume) throw new CommandFailure(2, RESUME_NEEDS_STAGE);
  const progress = showProgress("Replaying segments");
  const onProgress = (segments: number): void => progress.at(segments, segments);
  try {
    const rebuilt = await withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
      embedded.replay({ isTrial: trial, onProgress, ...(despite !== undefined && { despite }) }),
    );
    progress.stop();
    report(rebuilt);
  } finally {
    progress.stop();
  }
}

const DESPITE_NEEDS_FILE = "--despite is only valid for a database file. Remove it, or --stage.";
const RESUME_NEEDS_STAGE = "Only the replay of a deployment can be resumed: add --stage, or start a new replay.";

function report(rebuilt: Rebuilt): void {
  switch (rebuilt.outcome) {
    case "switched":
      return remark(`Replayed ${count(rebuilt.segments, "segment")}. Projection ${rebuilt.live} is live.`);
    case "kept":
      return remark(
        `Replayed ${count(rebuilt.segments, "segment")}. Projection ${rebuilt.live} still answers, and both are kept ` +
          'up to date. Compare them with "outlive compare", then use "outlive switch".',
      );
    case "incomplete":
      throw new CommandFailure(
        1,
        `Could not project ${rebuilt.refold.length} of ${count(rebuilt.segments, "segment")}; the first is ` +
          `${rebuilt.refold[0]?.key.sk ?? "unknown"}: ${errorMessage(rebuilt.refold[0]?.cause)} ` +
          `The earlier projection stays live. Check the file with "outlive verify".`,
      );
    case "overtaken":
      throw new CommandFailure(3, "Another replay started later and replaced this one. Wait for its end.");
  }
}
