// How fast is an import: from the bytes of a recording to facts, segments, a durable log and a durable projection on
// SQLite?
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded } from "../src/host/embedded/embedded-tracker.ts";
import { importRecordings } from "../src/host/embedded/import-recordings.ts";
import { median, report } from "./measuring/measure.ts";
import { RECORDING } from "./measuring/recorded.ts";

const RUNS = 3;
const folder = mkdtempSync(join(tmpdir(), "outlive-bench-"));
const rates: number[] = [];
const eventRates: number[] = [];
let bytes = 0;
let facts = 0;
for (let run = 0; run < RUNS; run += 1) {
  const file = join(folder, `${run}.sqlite`);
  const began = performance.now();
  const embedded = openEmbedded(file);
  const { imported, reading } = await importRecordings(embedded, { clusterName: "bench", files: [RECORDING] });
  embedded.close();
  const seconds = (performance.now() - began) / 1000;
  rates.push(imported.sealed / seconds);
  eventRates.push(reading.events / seconds);
  facts = imported.sealed;
  bytes = statSync(file).size;
}
rmSync(folder, { recursive: true });
report([
  { name: "import: new facts in the recording", value: facts, unit: "facts" },
  { name: "import: new facts per second, all durable", value: median(rates), unit: "facts/s", goal: ">= 15000" },
  { name: "import: watch events per second, all durable", value: median(eventRates), unit: "events/s" },
  { name: "import: database bytes per new fact", value: bytes / facts, unit: "B/fact" },
]);
