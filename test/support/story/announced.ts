import type { JobChange } from "../../../src/explain/answer-document.ts";
import { listedAnswer } from "../../../src/projection/job-state/derive-row.ts";
import { JobFold } from "../../../src/job/model/job-record.ts";
import { clusterNamed } from "../facts/names.ts";
import { Story } from "./story.ts";

/** The announcement of a new Job. */
export function changeNamed(name: string, cluster = "east"): JobChange {
  const story = new Story(name);
  story.jobCreated();
  const fold = new JobFold();
  for (const fact of story.facts) fold.add(fact);
  const [record] = fold.records.values();
  if (record === undefined) throw new Error("The story has no Job.");
  return { job: listedAnswer(clusterNamed(cluster), record, story.facts[0]?.at ?? 0) };
}
