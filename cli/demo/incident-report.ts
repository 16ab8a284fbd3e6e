import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import { humanDuration } from "../../src/text/human-duration.ts";
import { needlessRuns } from "../../src/job/accounting/needless-runs.ts";
import { count } from "../../src/text/sentence.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { type ApiClient, getJson, getItems, jobPath } from "../../src/client/api-client.ts";
import type { Paint } from "../output/paint.ts";
import { formatTable } from "../output/table.ts";
import { formatWhy } from "../output/why-text.ts";

/** How many Jobs the table shows. */
const WORST = 5;

interface EatenJob {
  readonly job: JobAnswer;
  readonly deletedBy: string;
}

/** What happened to Jobs whose successes were deleted before they were counted, from the API's answers alone; `worst` is the Job that ran most often. */
export async function reportIncident(
  api: ApiClient,
  paint: Paint,
): Promise<{ readonly text: string; readonly worst?: JobAnswer }> {
  const jobs = await getItems<JobAnswer>(api, "/v1/jobs", { attention: true });
  const worst = jobs.items
    .filter((job) => needlessRuns(job) > 0)
    .sort((a, b) => needlessRuns(b) - needlessRuns(a) || (a.name < b.name ? -1 : 1))
    .slice(0, WORST);
  const [first] = worst;
  if (first === undefined) return { text: "No Job ran again after it had succeeded.\n" };
  const eaten: EatenJob[] = [];
  for (const job of worst) eaten.push({ job, deletedBy: await deletersOf(api, job) });
  const summary = await getJson<SummaryAnswer>(api, "/v1/summary", { cluster: first.cluster });
  const why = await getJson<WhyAnswer>(api, jobPath(first, "/why"), { uid: first.uid });
  const parts = [introduction(summary, paint), tableOf(eaten, paint), formatWhy(why, paint)];
  return { text: parts.join("\n"), worst: first };
}

function introduction({ jobs, pods, reRuns }: SummaryAnswer, paint: Paint): string {
  return [
    paint("bold", "Pod GC ate its successes"),
    `${count(jobs, "Job")} ran ${count(pods.seen, "Pod")}. ${reRuns.pods} of them did again what had been done: ${humanDuration(reRuns.seconds * 1_000)} of running, in ${count(reRuns.jobs, "Job")}.`,
    "The worst of them, and what Kubernetes last said of each:",
    "",
  ].join("\n");
}

function tableOf(eaten: readonly EatenJob[], paint: Paint): string {
  return formatTable(
    eaten,
    [
      { header: "JOB", cell: ({ job }) => job.name },
      { header: "WANTED", cell: ({ job }) => job.spec.completions },
      { header: "RUN", cell: ({ job }) => job.pods.seen },
      { header: "SUCCEEDED", cell: ({ job }) => job.pods.succeeded, paint: () => "green" },
      { header: "KUBERNETES SAYS", cell: ({ job }) => reportedText(job), paint: () => "yellow" },
      { header: "SUCCEEDED PODS DELETED BY", cell: ({ deletedBy }) => deletedBy },
    ],
    { headers: true, wide: false, paint },
  );
}

function reportedText({ reported }: JobAnswer): string {
  const condition = reported?.status.conditions?.find(({ status }) => status === "True")?.type;
  return `${condition ?? "not finished"}, succeeded ${reported?.status.succeeded ?? 0}`;
}

/** Who deleted Pods that had succeeded, and how many each. */
async function deletersOf(api: ApiClient, job: JobAnswer): Promise<string> {
  const { items } = await getItems<Attempt>(api, jobPath(job, "/pods"), { uid: job.uid });
  const actors = items.flatMap(({ outcome, deletedBy }) =>
    outcome === "Succeeded" && deletedBy !== undefined ? [deletedBy.actor] : [],
  );
  const counts = [...Map.groupBy(actors, (actor) => actor)].sort(([, a], [, b]) => b.length - a.length);
  return counts.map(([actor, { length }]) => `${actor} (${length})`).join(", ");
}
