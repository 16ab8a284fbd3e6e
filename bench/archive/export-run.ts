// Archives the closed hours of a database in its own process: `node export-run.ts DATABASE FOLDER`. Each line of the
// input is an instant, in milliseconds: the hours that end until then are archived. Prints one line of JSON for each
// manifest: its kind, the CPU time since the last one, and the largest resident set so far.
import { createInterface } from "node:readline";
import { archiveDatabase } from "../../src/host/embedded/archive-database.ts";
import { LONG_BUSY_MILLIS } from "../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { createFolderObjects } from "../../src/adapters/folder/folder-objects.ts";

/** An hour closes five minutes after its end. */
const CLOSES_AFTER_MS = 5 * 60_000;

const [database = "", folder = ""] = process.argv.slice(2);
let before = cpuSeconds();

for await (const line of createInterface({ input: process.stdin })) {
  await withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
    archiveDatabase(embedded, createFolderObjects(folder), {
      now: Number(line) + CLOSES_AFTER_MS,
      onLink: ({ name: { kind }, manifest }) => {
        const { counts, objects } = manifest;
        const bytes = objects.map((object) => [object.key.split("/", 1)[0], object.bytes]);
        const cpu = cpuSeconds();
        const maxRssMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
        console.log(JSON.stringify({ kind, counts, bytes, seconds: cpu - before, maxRssMb }));
        before = cpu;
      },
    }),
  );
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
