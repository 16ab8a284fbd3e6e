import type { Command } from "commander";
import { count } from "../../src/text/sentence.ts";
import type { Rebuilt } from "../../src/replay/rebuild-projection.ts";
import { LONG_BUSY_MILLIS } from "../../src/embedded/embedded-tracker.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { databaseOption } from "../options/query-options.ts";
import { stackOption } from "../options/registry-options.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";

export function define(command: Command): void {
  command.addOption(databaseOption()).addOption(stackOption()).action(replay);
  addExamples(command, [
    ["outlive replay", "build every answer of ./outlive.sqlite anew from its log; readers go on meanwhile"],
    [
      "outlive replay --stack Outlive-prod",
      "the same for a deployment on AWS, which does it without this terminal too",
    ],
  ]);
}

async function replay({ database, stack }: { readonly database: string; readonly stack?: string }): Promise<void> {
  if (stack !== undefined) return (await import("../deployment/deployed-replay.ts")).replayDeployed(stack);
  const progress = showProgress("Replaying segments");
  try {
    const rebuilt = await withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
      embedded.replay((segments) => progress.at(segments, segments)),
    );
    progress.stop();
    tell(rebuilt);
  } finally {
    progress.stop();
  }
}

function tell(rebuilt: Rebuilt): void {
  switch (rebuilt.outcome) {
    case "switched":
      return remark(`Rebuilt from ${count(rebuilt.segments, "segment")}; projection ${rebuilt.live} answers now.`);
    case "incomplete":
      throw new CommandFailure(
        1,
        `${rebuilt.refold.length} of ${count(rebuilt.segments, "segment")} could not be folded (the first is ${rebuilt.refold[0]?.key.sk ?? "unknown"}); the old projection goes on answering. Check the file with "outlive verify".`,
      );
    case "overtaken":
      throw new CommandFailure(
        3,
        "Another replay has begun meanwhile and goes on; this one gave way. Wait for it to end.",
      );
  }
}
