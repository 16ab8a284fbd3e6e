import type { Cause } from "../job/cause/cause.ts";
import type { DerivedJob } from "./derived-job.ts";
import { podName } from "../job/model/evidence.ts";
import { isGone } from "../job/model/outcome.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { count, list, sentence } from "../job/text/sentence.ts";
import { causeText, countedText, otherCausesText } from "./cause/explain-cause.ts";
import { responsibilityOfJob } from "./cause/job-responsibility.ts";
import { responsibilityText } from "./cause/responsibility-text.ts";
import { stoppedTexts } from "./cause/stopped-pods-text.ts";
import { waitingText } from "./cause/explain-waiting.ts";
import { explainFinding } from "./explain-finding.ts";
import { jobDeletionText } from "./job-deletion-text.ts";
import type { WhyPods } from "./why-pods.ts";

/** Sentences about what the headline leaves out, the most important first. */
export function whyDetails(derived: DerivedJob, pods: WhyPods): readonly string[] {
  const { findings, cause, waiting, stopped } = derived;
  const deletion = jobDeletionText(derived);
  const lines = [
    ...(cause === undefined ? [] : causeLines(cause)),
    ...responsibilityLines(derived),
    ...(waiting === undefined ? [] : [`${whoWaits(waiting.podCount)}: ${waitingText(waiting)}`]),
    ...(stopped === undefined ? [] : stoppedTexts(stopped)),
    ...findings.filter(({ kind }) => kind !== "Waiting").map((finding) => explainFinding(finding).message),
    ...attemptLines(derived, pods),
    ...(deletion === undefined ? [] : [deletion]),
  ];
  return [...new Set(lines.map(sentence))];
}

function causeLines(cause: Cause): readonly string[] {
  const [counted, others] = [countedText(cause), otherCausesText(cause)];
  return [counted === "" ? causeText(cause) : `${causeText(cause)}; ${counted}`, ...(others === "" ? [] : [others])];
}

function responsibilityLines(derived: DerivedJob): readonly string[] {
  const found = responsibilityOfJob(derived);
  return found === undefined ? [] : [responsibilityText(found)];
}

/** A Job may wait before it has a Pod. */
function whoWaits(podCount: number): string {
  return podCount === 0 ? "waiting without a Pod" : `${count(podCount, "Pod")} waiting`;
}

/** How the attempts of a failed Job ended, one by one if they are few, else grouped. It includes Pods that are gone. */
function attemptLines({ verdict }: DerivedJob, { unsuccessful, ends, endOf }: WhyPods): readonly string[] {
  if (verdict.state !== "Failed" || unsuccessful.count === 0) return [];
  if (unsuccessful.count <= MAX_ATTEMPTS) {
    const texts = unsuccessful.pods.map((pod) => `${podName(pod)}: ${endOf(pod)}${goneText(pod)}`);
    return [`attempts: ${texts.join("; ")}`];
  }
  const grouped = [...ends].sort(([a], [b]) => (a < b ? -1 : 1)).map(([how, times]) => `${how} (${times})`);
  return [`${unsuccessful.count} attempts: ${list(grouped)}`];
}
const MAX_ATTEMPTS = 10;

function goneText(pod: PodRecord): string {
  return isGone(pod) ? " (its Pod is gone)" : "";
}
