// Archives the closed hours of a database in its own process: `node export-run.ts DATABASE FOLDER`. Prints one line of
// JSON for each manifest: its kind, the CPU time since the last one, and the largest resident set so far.
import { archiveDatabase } from "../../src/embedded/archive-database.ts";
import { withDatabase } from "../../src/embedded/with-database.ts";
import { createFolderObjects } from "../../src/folder/folder-objects.ts";

const [database = "", folder = ""] = process.argv.slice(2);
let before = cpuSeconds();

await withDatabase(database, { create: false }, (embedded) =>
  archiveDatabase(embedded, createFolderObjects(folder), {
    now: Date.now(),
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

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
