import { type Command, Option } from "commander";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { addExamples } from "../../../src/host/command-line/add-examples.ts";
import { withDatabase } from "../../../src/host/embedded/with-database.ts";
import { type Compared, compareProjections, NoTrialError } from "../../../src/upkeep/replay/compare-projections.ts";
import { count } from "../../../src/job/text/sentence.ts";
import { escapeControls } from "../../../src/job/text/terminal-text.ts";
import { remark } from "../../output/print-answer.ts";
import { printDifferences } from "../../output/print-differences.ts";
import { showProgress } from "../../output/progress-bar.ts";
import { databaseOption } from "../../options/query-options.ts";
import { stageOption } from "../../options/registry-options.ts";

interface CompareOptions {
  readonly database: string;
  readonly stage?: string;
  readonly output: "text" | "json";
}

export function define(command: Command): void {
  command
    .addOption(databaseOption())
    .addOption(stageOption())
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json"]).default("text"))
    .action(compare);
  addExamples(command, [
    ["outlive replay --trial && outlive compare", "what would this release answer differently?"],
    ["outlive compare --stage prod -o json", "compare both projections of a deployment on AWS"],
  ]);
}

async function compare({ database, stage, output }: CompareOptions): Promise<void> {
  const progress = showProgress("Comparing Jobs");
  const onProgress = (jobs: number): void => progress.at(jobs, jobs);
  try {
    const compared =
      stage === undefined
        ? await withDatabase(database, { create: false }, (embedded) => compareProjections(embedded, onProgress))
        : await compareDeployed(stage, onProgress);
    progress.stop();
    report(compared, output);
  } catch (cause) {
    throw cause instanceof NoTrialError ? new CommandFailure(2, cause.message) : cause;
  } finally {
    progress.stop();
  }
}

async function compareDeployed(stage: string, onProgress: (jobs: number) => void): Promise<Compared> {
  const { deployedProjections } = await import("../../deployment/deployed-projections.ts");
  return compareProjections(await deployedProjections(stage), onProgress);
}

function report(compared: Compared, output: CompareOptions["output"]): void {
  const { jobs, different, differentBeyond } = compared;
  if (output === "json") process.stdout.write(`${escapeControls(JSON.stringify(compared, undefined, 2))}\n`);
  else printDifferences(compared);
  const total = different.length + differentBeyond;
  if (total > 0) {
    throw new CommandFailure(
      1,
      `The projections differ in ${total} of ${count(jobs, "Job")}. Do not switch before you know why.`,
    );
  }
  remark(`Compared ${count(jobs, "Job")}: no differences. "outlive switch" lets the other projection answer.`);
}
