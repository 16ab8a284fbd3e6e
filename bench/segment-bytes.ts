// How many bytes does a fact take in the log? The facts are those of the 2,000-Job recording without repetitions, in
// windows of 250 ms by the recorded times (as the exporter of a busy cluster seals them), and in full segments.
import { existsSync, readFileSync } from "node:fs";
import { factsOf, foldJobs } from "../src/job/model/job-record.ts";
import type { Fact } from "../src/job/model/fact.ts";
import { decodeClusterName } from "../src/job/model/ids.ts";
import { FactDeduplicator } from "../src/segment/fact-deduplicator.ts";
import { translate } from "../src/kubernetes/translate/translate.ts";
import { Sealer } from "../src/segment/sealer.ts";
import { encodeFacts } from "../src/segment/fact-list.ts";
import { RECORDED_TIMES, RECORDING, recordedEvents } from "./measuring/recorded.ts";
import { type Measure, report } from "./measuring/measure.ts";

const WINDOW_MILLIS = 250;
const SEALED_AT = Date.parse("2026-11-21T08:50:00Z");
const NOVELTY = { jobs: 100_000, pods: 1_000_000 };
const cluster = decodeClusterName("bench");
if (cluster === undefined) throw new Error("bench is a cluster's name");
const begin = () => new Sealer({ cluster, session: "bench00000000000", firstSequence: 0 });

const events = await recordedEvents();
const deduplicator = new FactDeduplicator(NOVELTY);
const facts: (readonly Fact[])[] = events.map((event) => {
  const translated = translate(event);
  return translated.outcome === "translated" ? translated.facts.filter((fact) => deduplicator.isNew(fact)) : [];
});
const total = facts.flat();

/** The bytes of all segments if a segment is sealed before each line that `endsWindow` names. */
function sealedBytes(endsWindow: (line: number) => boolean): { readonly bytes: number; readonly segments: number } {
  const sealer = begin();
  let bytes = 0;
  let segments = 0;
  const seal = () => {
    for (const sealed of sealer.seal(SEALED_AT)) {
      bytes += sealed.bytes.length;
      segments += 1;
    }
  };
  facts.forEach((ofLine, line) => {
    if (endsWindow(line)) seal();
    for (const fact of ofLine) {
      if (sealer.add(fact).outcome !== "full") continue;
      seal();
      sealer.add(fact);
    }
  });
  seal();
  return { bytes, segments };
}

const jsonBytes = total.reduce((sum, fact) => sum + JSON.stringify(fact).length + 1, 0);
const full = sealedBytes(() => false);
const jobs = foldJobs(total);
const stateBytes = [...jobs.values()]
  .filter(({ pods }) => pods.size === 1)
  .map((record) => encodeFacts(factsOf(record)).length)
  .sort((a, b) => a - b);
const onePodJobs = jobs.size;
const measures: Measure[] = [
  { name: "segment: facts that say something new", value: total.length, unit: "facts" },
  { name: "segment: bytes per fact as JSON lines", value: jsonBytes / total.length, unit: "B/fact" },
  { name: "segment: bytes per fact in full segments", value: full.bytes / total.length, unit: "B/fact", goal: "<= 40" },
  { name: "segment: facts per full segment", value: total.length / full.segments, unit: "facts" },
  { name: "segment: bytes per Job in full segments (1.02 Pods each)", value: full.bytes / onePodJobs, unit: "B/Job" },
  { name: "segment: JSON lines to full segments", value: jsonBytes / full.bytes, unit: "times" },
  {
    name: "state: bytes of a one-Pod Job's record, p95",
    value: stateBytes[Math.floor(stateBytes.length * 0.95)] ?? 0,
    unit: "B",
    goal: "<= 1024",
  },
];
if (existsSync(RECORDED_TIMES) && RECORDING.includes("mixed-2000")) {
  const { ms } = JSON.parse(readFileSync(RECORDED_TIMES, "utf8")) as { readonly ms: readonly number[] };
  let windowEnds = WINDOW_MILLIS;
  const windows = sealedBytes((line) => {
    const at = ms[line] ?? 0;
    if (at < windowEnds) return false;
    windowEnds = (Math.floor(at / WINDOW_MILLIS) + 1) * WINDOW_MILLIS;
    return true;
  });
  measures.push(
    {
      name: "segment: bytes per fact in 250 ms windows",
      value: windows.bytes / total.length,
      unit: "B/fact",
      goal: "<= 90",
    },
    {
      name: "segment: bytes per Job in 250 ms windows (1.02 Pods each)",
      value: windows.bytes / onePodJobs,
      unit: "B/Job",
    },
    { name: "segment: facts per 250 ms window", value: total.length / windows.segments, unit: "facts" },
  );
}
report(measures);
