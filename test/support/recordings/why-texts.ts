import { paintFor } from "../../../cli/output/paint.ts";
import { formatWhy } from "../../../cli/output/why-text.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { answerAndWhy } from "../../../src/explain/why-record.ts";
import { foldFacts } from "../../../src/query/job/fold-facts.ts";

/** The output of `why` for one Job of a recording, at the recording's last instant. */
export interface WhyText {
  readonly namespace: string;
  readonly job: string;
  readonly headline: string;
  readonly text: string;
}

/** The output of `why` for every Job of a recording, in the order of their names. */
export async function whyTextsOf(...files: readonly string[]): Promise<readonly WhyText[]> {
  const reading = { events: 0, rejected: [], rejectedBeyond: 0 };
  const { jobs, clusterContext, latestAt } = await foldFacts(recordedFacts(files, reading));
  return Array.from(jobs, (record) => {
    const { answer, why } = answerAndWhy(record, { cluster: "recording", clusterContext, now: latestAt });
    const { cluster, namespace, name, uid, verdict, completeness, asOf } = answer;
    const whole = { cluster, namespace, name, uid, verdict, completeness, asOf, ...why };
    return { namespace, job: name, headline: why.answer, text: formatWhy(whole, paintFor("never", process.stdout)) };
  });
}

/** Texts that differ only in names, times and durations. */
export interface LikeTexts {
  readonly first: WhyText;
  readonly jobs: readonly string[];
}

/** Groups texts that a reader would call the same, in the order of their first Jobs. */
export function groupAlike(texts: readonly WhyText[]): readonly LikeTexts[] {
  const groups = Map.groupBy(texts, withoutNames);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, jobs: [first, ...others].map(({ job }) => job) }],
  );
}

/** The form of a text: names, times, resourceVersions and durations are replaced, and like lines stand once. */
function withoutNames({ job, text }: Pick<WhyText, "job" | "text">): string {
  const lines = text
    .replaceAll(new RegExp(String.raw`\b${job}(-\d+)?-[a-z0-9]{5}\b`, "g"), "POD")
    .replaceAll(job, "JOB")
    .replaceAll(/\bnode-\w+\b/g, "NODE")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z +\d+ +/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d+ (d|h|min|m|s|ms)\b( \d+ (h|min|m|s|ms)\b)*/g, "DURATION")
    .replaceAll(/ +/g, " ")
    .split("\n");
  return lines.filter((line, at) => line !== lines[at - 1]).join("\n");
}
