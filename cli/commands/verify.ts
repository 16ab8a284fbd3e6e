import type { Command } from "commander";
import { count } from "../../src/text/sentence.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { type Verified, verifyProjection } from "../../src/replay/verify-projection.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { databaseOption } from "../options/query-options.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";

export function define(command: Command): void {
  command.addOption(databaseOption()).action(verify);
  addExamples(command, [["outlive verify", "compare every answer of ./outlive.sqlite with a fresh fold of its log"]]);
}

async function verify({ database }: { readonly database: string }): Promise<void> {
  const progress = showProgress("Verifying Jobs");
  try {
    const verified = await withDatabase(database, { create: false }, async ({ log, meta, projections }) =>
      verifyProjection(
        { log, meta, jobs: await liveJobs(projections, meta) },
        { onProgress: ({ jobs }) => progress.at(jobs, jobs) },
      ),
    );
    progress.stop();
    tell(verified);
  } finally {
    progress.stop();
  }
}

/** So many mismatches are named; the rest is counted. */
const MOST_SHOWN = 20;

function tell({ segments, jobs, mismatches }: Verified): void {
  for (const { cluster, jobUid, problem, reason } of mismatches.slice(0, MOST_SHOWN)) {
    remark(`${cluster} ${jobUid}: ${problem}. ${reason}`);
  }
  if (mismatches.length > 0) {
    throw new CommandFailure(
      1,
      `${mismatches.length} of ${count(jobs, "Job")} ${mismatches.length === 1 ? "is" : "are"} not what the log says. "outlive replay" builds anew what is wrong.`,
    );
  }
  remark(
    `${count(jobs, "Job")} ${jobs === 1 ? "is" : "are"} what ${count(segments, "segment")} of the log ${segments === 1 ? "says" : "say"}, byte by byte.`,
  );
}
