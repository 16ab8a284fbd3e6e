import type { Finding, FindingKind, JobAnswer } from "../../src/job/answer.ts";
import { answerRecord } from "../../src/job/job-answer.ts";
import type { Story } from "./story.ts";

/** The answer a story comes to, at its present second unless said. */
export function answerOf(story: Story, now = story.now): JobAnswer {
  return answerRecord(story.record, { cluster: "small", surroundings: story.surroundings, now, attempts: true });
}

export function kindsOf(story: Story, now = story.now): readonly FindingKind[] {
  return answerOf(story, now).findings.map(({ kind }) => kind);
}

export function findingOf(story: Story, kind: FindingKind, now = story.now): Finding | undefined {
  return answerOf(story, now).findings.find((finding) => finding.kind === kind);
}

export function namesIn(finding: Finding | undefined): readonly string[] {
  return finding?.pods?.map(({ name }) => name) ?? [];
}
