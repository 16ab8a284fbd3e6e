import type { Command } from "commander";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../../src/host/command-line/add-examples.ts";
import { LONG_BUSY_MILLIS } from "../../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";
import type { ComparePorts } from "../../../src/upkeep/replay/compare-projections.ts";
import { type Ended, endTrial, switchProjection } from "../../../src/upkeep/replay/switch-projection.ts";
import { count } from "../../../src/job/text/sentence.ts";
import { remark } from "../../output/print-answer.ts";
import { printDifferences } from "../../output/print-differences.ts";
import { showProgress } from "../../output/progress-bar.ts";
import { despiteOption } from "../../options/despite-option.ts";
import { databaseOption } from "../../options/query-options.ts";
import { stageOption } from "../../options/registry-options.ts";

interface SwitchOptions {
  readonly database: string;
  readonly stage?: string;
  readonly end?: boolean;
  readonly despite?: string;
}

export function define(command: Command): void {
  command
    .addOption(databaseOption())
    .addOption(stageOption())
    .option("--end", "end the trial if no Job differs: keep only the projection that answers up to date")
    .addOption(despiteOption("with --end: end the trial without a comparison, for this recorded reason"))
    .action(async (options: SwitchOptions) => report(await moved(options)));
  addExamples(command, [
    ["outlive switch", 'let the other projection of "outlive replay --trial" answer; again to switch back'],
    ["outlive switch --end --stage prod", "stay with the projection that answers"],
    ['outlive switch --end --despite "the new release is faulty"', "end a trial whose projections differ"],
  ]);
}

async function moved({ database, stage, end = false, despite }: SwitchOptions): Promise<Ended> {
  if (despite !== undefined && !end) throw new CommandFailure(2, "--despite is only valid with --end. Add --end.");
  if (stage !== undefined) {
    const { deployedProjections } = await import("../../deployment/deployed-projections.ts");
    const deployed = await deployedProjections(stage);
    return end ? ended(deployed, despite) : switchProjection(deployed.meta, Date.now());
  }
  return withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
    end ? ended(embedded, despite) : embedded.switchProjection(),
  );
}

async function ended(ports: ComparePorts, despite: string | undefined): Promise<Ended> {
  const progress = showProgress("Comparing Jobs");
  try {
    const onProgress = (jobs: number): void => progress.at(jobs, jobs);
    return await endTrial({ ...ports, onProgress, ...(despite !== undefined && { despite }) });
  } finally {
    progress.stop();
  }
}

function report(switched: Ended): void {
  switch (switched.outcome) {
    case "switched":
      return remark(`Projection ${switched.live} answers. Both are kept up to date: "outlive switch" goes back.`);
    case "ended":
      return remark(
        `The trial has ended. Projection ${switched.live} answers. A deployment that keeps projectors of an earlier ` +
          "release goes on doing so: deploy without keepProjectors.",
      );
    case "different": {
      const { compared } = switched;
      printDifferences(compared);
      const total = compared.different.length + compared.differentBeyond;
      throw new CommandFailure(
        1,
        `The trial was not ended: the projections differ in ${total} of ${count(compared.jobs, "Job")}. ` +
          'To end it nevertheless, add --despite "REASON".',
      );
    }
    case "alone":
      throw new CommandFailure(
        2,
        `Cannot switch: there is no projection besides ${switched.live}. Build one with "outlive replay --trial".`,
      );
    case "building":
      throw new CommandFailure(3, "Cannot switch: a replay is still building the second projection. Wait for its end.");
    case "conflict":
      throw new CommandFailure(
        3,
        "Cannot switch: another process switched, or started a replay, at the same time. Try again.",
      );
  }
}
