import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { tell } from "../../support/stores/stores-with-facts.ts";
import { dagsterJob, queuedJobSet, restartedJobSet } from "../../support/story/run-story.ts";

/**
 * Runs a command in this process over a database file with JobSets "train" (complete) and "next" (queued) of namespace
 * "ml", run "5f1a" of Dagster, and the added ones.
 */
export function commandOverRuns(define: (command: Command) => void, added: readonly Fact[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "outlive-runs-"));
  const database = join(folder, "database.sqlite");
  beforeAll(async () => {
    const tracker = openEmbedded(database);
    await tell(tracker, [...restartedJobSet(), ...queuedJobSet(), ...dagsterJob("5f1a"), ...added]);
    tracker.close();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (...args: readonly string[]) => {
    const printed = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      vi.spyOn(process[stream], "write").mockImplementation((text) => {
        printed[stream] += String(text);
        return true;
      });
    }
    const command = new Command().exitOverride();
    define(command);
    const error = await command.parseAsync([...args, "--database", database], { from: "user" }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { ...printed, error };
  };
}
