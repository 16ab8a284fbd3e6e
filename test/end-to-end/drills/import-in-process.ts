// A process for a test to kill: imports a story into a database in many small turns, and prints a line after each.
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { crashStory } from "../../support/story/crash-story.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const [, , path = ":memory:"] = process.argv;
const embedded = openEmbedded(path);
const imported = await embedded.importFacts(events(), {
  cluster: clusterNamed("east"),
  now: Date.UTC(2026, 10, 21, 12),
  segmentJobs: 8,
  segmentsAtOnce: 2,
  onProgress: ({ appended, duplicates }) => process.stdout.write(`${appended + duplicates}\n`),
});
embedded.close();
process.exitCode = imported.refold.length + imported.refused.length;

async function* events(): AsyncGenerator<readonly Fact[]> {
  for (const facts of crashStory()) {
    yield facts;
    // Lets the process hear and speak between two events, as reading a file would.
    if (Math.random() < 0.01) await new Promise((resolve) => setImmediate(resolve));
  }
}
