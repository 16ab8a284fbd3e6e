import {
  type DuplicateExecution,
  type DuplicateExecutionShows,
  type DuplicatePair,
  MAX_PAIRS,
} from "../../job/findings/find-duplicate-execution.ts";
import type { PodRef } from "../../job/model/evidence.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";

export const explainDuplicateExecution: Explain<DuplicateExecution> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Make the work safe to run twice, or guard it with a lock: a Job may start the same program " +
      "twice, even with parallelism 1 and restartPolicy Never.",
    ...(finding.pairs.every(({ overlap }) => overlap === "inPlace") ? [] : [REPLACEMENT_REMEDY]),
  ],
});

const REPLACEMENT_REMEDY =
  "Set podReplacementPolicy: Failed, so that a replacement waits until the Pod before it has ended.";

function messageOf({ certain, times, pairs }: DuplicateExecution): string {
  const repeated = times === 1 ? "" : ` (${count(times, "time")})`;
  const texts = pairs.map(describePair);
  return `The same work ${certain ? "ran" : "may have run"} twice${repeated}: ${list(texts, MAX_PAIRS, times)}.`;
}

function describePair({ first, second, overlap, secondSucceeded }: DuplicatePair): string {
  const [a, b] = [withNode(first), withNode(second)];
  switch (overlap) {
    case "atOnce":
      return `${b} started while ${a} was still running`;
    case "afterSuccess":
      return `${b} ran after ${a} had run to success${secondSucceeded ? ", and succeeded too" : ""}`;
    case "afterStop":
      return `${b} started, and ${a} had answered its deletion with exit code 0`;
    case "unknownEnd":
      return `${b} started, and how ${a} ended is unknown`;
    case "inPlace":
      return `${b} was started again in place, and how its run before ended is unknown`;
  }
}

function withNode({ name, node }: PodRef): string {
  return `${name}${node === undefined ? "" : ` (${node})`}`;
}

function describeShown(shows: DuplicateExecutionShows): string {
  switch (shows.what) {
    case "started":
      return `started to run${shows.node === undefined ? "" : ` on ${shows.node}`}`;
    case "ended": {
      const ran = shows.ranMillis === undefined ? "" : ` after ${durationText(shows.ranMillis)}`;
      return `${shows.phase === "Succeeded" ? "succeeded" : "failed"}${ran}`;
    }
    case "failedUnobserved":
      return "was reported Failed; no end of its containers was reported";
    case "runLost":
      return (
        `container ${shows.container} was lost by the container runtime (exit code 255, Unknown), ` +
        "and was started again in place"
      );
  }
}
