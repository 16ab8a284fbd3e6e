import type { Command } from "commander";
import { CommandFailure } from "../../../src/command-line/command-failure.ts";
import { addExamples } from "../../../src/command-line/add-examples.ts";
import { LONG_BUSY_MILLIS } from "../../../src/embedded/embedded-tracker.ts";
import { withDatabase } from "../../../src/embedded/with-database.ts";
import { endTrial, type Switched, switchProjection } from "../../../src/replay/switch-projection.ts";
import { remark } from "../../output/print-answer.ts";
import { databaseOption } from "../../options/query-options.ts";
import { stackOption } from "../../options/registry-options.ts";

interface SwitchOptions {
  readonly database: string;
  readonly stack?: string;
  readonly end?: boolean;
}

export function define(command: Command): void {
  command
    .addOption(databaseOption())
    .addOption(stackOption())
    .option("--end", "end the trial: keep only the projection that answers up to date")
    .action(async (options: SwitchOptions) => report(await moved(options)));
  addExamples(command, [
    ["outlive switch", 'let the other projection of "outlive replay --trial" answer; again to switch back'],
    ["outlive switch --end --stack Outlive-prod", "stay with the projection that answers"],
  ]);
}

async function moved({ database, stack, end = false }: SwitchOptions): Promise<Switched> {
  if (stack !== undefined) {
    const { deployedProjections } = await import("../../deployment/deployed-projections.ts");
    const { meta } = await deployedProjections(stack);
    return end ? endTrial(meta) : switchProjection(meta, Date.now());
  }
  return withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
    end ? endTrial(embedded.meta) : embedded.switchProjection(),
  );
}

function report(switched: Switched): void {
  switch (switched.outcome) {
    case "switched":
      return remark(`Projection ${switched.live} answers. Both are kept up to date: "outlive switch" goes back.`);
    case "ended":
      return remark(`The trial has ended. Projection ${switched.live} answers.`);
    case "alone":
      throw new CommandFailure(
        2,
        `There is no second projection: ${switched.live} answers alone. Build one with "outlive replay --trial".`,
      );
    case "building":
      throw new CommandFailure(3, "A replay is running, and the second projection is not complete. Wait for its end.");
    case "conflict":
      throw new CommandFailure(3, "Another process switched or started a replay at the same time. Try again.");
  }
}
