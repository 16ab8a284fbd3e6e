import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { needlessRuns } from "../../src/job/accounting/needless-runs.ts";
import { count } from "../../src/job/text/sentence.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { type ApiClient, getJson, getItems } from "../../src/host/client/api-client.ts";
import { jobPath } from "../../src/http/contract/api-paths.ts";
import type { Paint } from "../output/paint.ts";
import { formatTable } from "../output/table.ts";
import { formatWhy } from "../output/why-text.ts";

/** How many Jobs the table shows. */
const WORST = 5;

interface ReRunJob {
  readonly job: JobAnswer;
  readonly deletedBy: string;
}

/**
 * Describes Jobs whose succeeded Pods were deleted before Kubernetes counted them, from answers of the API alone.
 * `worst` is the Job with the most needless re-runs.
 */
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
  if (first === undefined) return { text: "No Job has needless re-runs.\n" };
  const rows: ReRunJob[] = [];
  for (const job of worst) rows.push({ job, deletedBy: await deletersOf(api, job) });
  const summary = await getJson<SummaryAnswer>(api, "/v1/summary", { cluster: first.cluster });
  const why = await getJson<WhyAnswer>(api, jobPath(first, "/why"), { uid: first.uid });
  const parts = [introduction(summary, paint), tableOf(rows, paint), formatWhy(why, paint)];
  return { text: parts.join("\n"), worst: first };
}

function introduction({ jobs, pods, reRuns }: SummaryAnswer, paint: Paint): string {
  return [
    paint("bold", "Pod GC ate its successes"),
    `${count(jobs, "Job")} ran ${count(pods.seen, "Pod")}. ` +
      `${count(reRuns.pods, "Pod")} in ${count(reRuns.jobs, "Job")} repeated work that had succeeded: ` +
      `${humanDuration(reRuns.seconds * 1_000)} of needless running.`,
    "The Jobs with the most re-runs, and the last status that Kubernetes reported for each:",
    "",
  ].join("\n");
}

function tableOf(rows: readonly ReRunJob[], paint: Paint): string {
  return formatTable(
    rows,
    [
      { header: "JOB", cell: ({ job }) => job.name },
      { header: "COMPLETIONS", cell: ({ job }) => job.spec.completions },
      { header: "PODS", cell: ({ job }) => job.pods.seen },
      { header: "SUCCEEDED", cell: ({ job }) => job.pods.succeeded, paint: () => "green" },
      { header: "REPORTED BY KUBERNETES", cell: ({ job }) => reportedText(job), paint: () => "yellow" },
      { header: "SUCCEEDED PODS DELETED BY", cell: ({ deletedBy }) => deletedBy },
    ],
    { headers: true, wide: false, paint },
  );
}

function reportedText({ reported }: JobAnswer): string {
  const condition = reported?.status.conditions?.find(({ status }) => status === "True")?.type;
  return `${condition ?? "not finished"}, succeeded ${reported?.status.succeeded ?? 0}`;
}

/** Who deleted the succeeded Pods, and how many. */
async function deletersOf(api: ApiClient, job: JobAnswer): Promise<string> {
  const { items } = await getItems<Attempt>(api, jobPath(job, "/pods"), { uid: job.uid });
  const actors = items.flatMap(({ outcome, deletedBy }) =>
    outcome === "Succeeded" && deletedBy !== undefined ? [deletedBy.actor] : [],
  );
  const counts = [...Map.groupBy(actors, (actor) => actor)].sort(([, a], [, b]) => b.length - a.length);
  return counts.map(([actor, { length }]) => `${actor} (${length})`).join(", ");
}
