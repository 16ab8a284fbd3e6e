import type { Instant } from "../../../src/job/model/instant.ts";
import { EU, US } from "./generated-cluster.ts";
import { euEvents } from "./generated-eu.ts";
import { usEvents } from "./generated-us.ts";
import { DAY, HOUR, MINUTE, recordingLines } from "./watch-events.ts";

/** A recording of a cluster that does not exist. The name of the cluster says so. */
export interface GeneratedRecording {
  readonly clusterName: string;
  /** As in a recorded file. */
  readonly lines: readonly string[];
}

const DAYS = 28;
/** The watch of the second cluster was interrupted for an hour, and ended some minutes ago. */
const GAP_AGO = 5 * DAY;
const GAP = HOUR;
const SILENT_SINCE = 20 * MINUTE;

/** Four weeks of a batch platform until an instant. The same instant gives the same lines. */
export function generatedHistory(now: Instant): readonly GeneratedRecording[] {
  const end = Math.floor(now / 1_000) * 1_000;
  const from = Math.floor(end / DAY - DAYS) * DAY;
  const usEnd = end - SILENT_SINCE;
  const gap = { from: end - GAP_AGO, to: end - GAP_AGO + GAP };
  return [
    { clusterName: EU, lines: recordingLines(euEvents(from, end), end) },
    { clusterName: US, lines: recordingLines(usEvents(from, usEnd), usEnd, gap) },
  ];
}
