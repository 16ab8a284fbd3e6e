import { createReadStream, existsSync } from "node:fs";
import type { Fact } from "../../src/job/model/fact.ts";
import { readRecording } from "../../src/kubernetes/recording/recording.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";

/**
 * The recording of the benchmarks: 2,000 concurrent Jobs on Kubernetes 1.36, 22,685 events in 120 s. If it is absent,
 * the largest example.
 */
export const RECORDING =
  ["../shared/recordings/mixed-2000.ndjson.gz", "examples/pod-gc-ate-success.ndjson.gz"].find((file) =>
    existsSync(file),
  ) ?? "";
// Figures of different recordings must not be compared.
console.error(`recording: ${RECORDING}`);
/** The arrival of each line of the recording in milliseconds since the first. Absent for the examples. */
export const RECORDED_TIMES = "../shared/recordings/mixed-2000.times.json";

/** The parsed events of the recording. */
export async function recordedEvents(): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const item of readRecording(createReadStream(RECORDING))) if ("event" in item) events.push(item.event);
  return events;
}

/** All facts of the recording in order of arrival, including repetitions. */
export async function recordedFacts(): Promise<readonly Fact[]> {
  return (await recordedEvents()).flatMap((event) => {
    const translated = translate(event);
    return translated.outcome === "translated" ? translated.facts : [];
  });
}
