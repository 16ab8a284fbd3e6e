// How many decoded facts per second does one core join into records? The facts are those of a recorded cluster,
// including repetitions.
import { JobFold } from "../src/job/model/job-record.ts";
import { median, report } from "./measuring/measure.ts";
import { recordedFacts } from "./measuring/recorded.ts";

const facts = await recordedFacts();
const rates: number[] = [];
for (let run = 0; run < 7; run += 1) {
  const fold = new JobFold();
  const began = performance.now();
  for (const fact of facts) fold.add(fact);
  rates.push((facts.length / (performance.now() - began)) * 1000);
}
report([
  { name: "join: facts in the recording", value: facts.length, unit: "facts" },
  { name: "join: facts joined per second and core", value: median(rates), unit: "facts/s", goal: ">= 500000" },
]);
