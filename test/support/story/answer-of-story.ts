import type { Finding, JobAnswer } from "../../../src/explain/answer-document.ts";
import type { FindingKind } from "../../../src/explain/findings/finding-kinds.ts";
import { answerRecord, type RecordAnswerOptions } from "../../../src/explain/present-job.ts";
import type { Story } from "./story.ts";

/** The answer that follows from a story, by default at its current second. */
export function answerOf(story: Story, more: Partial<RecordAnswerOptions> = {}): JobAnswer {
  const { clusterContext, now } = story;
  return answerRecord(story.record, { cluster: "small", clusterContext, now, attempts: true, ...more });
}

export function kindsOf(story: Story, now = story.now): readonly FindingKind[] {
  return answerOf(story, { now }).findings.map(({ kind }) => kind);
}

export function findingOf(story: Story, kind: FindingKind, now = story.now): Finding | undefined {
  return answerOf(story, { now }).findings.find((finding) => finding.kind === kind);
}

export function namesIn(finding: Finding | undefined): readonly string[] {
  return finding?.pods?.map(({ name }) => name) ?? [];
}
