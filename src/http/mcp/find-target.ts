import type { JobAnswer } from "../../explain/answer-document.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { canBeRunKind } from "../../parents/run/run-names.ts";
import type { ClusterAnswer } from "../../query/clusters/clusters.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import { jobPath, pathWith } from "../contract/api-paths.ts";
import { type Ask, type Page, read } from "./ask.ts";
import { plain } from "./marked.ts";
import { presentSubject, type Subject, targetOf } from "./subject.ts";
import { parseTarget, type TargetArguments, type WantedTarget } from "./target.ts";
import { ToolError } from "./tool-error.ts";

/** How many Jobs or runs of a name are read. */
const NAMED = 50;
/** How many objects of any name are read at once. */
const MOST_NAMES = 500;
/** Pages of a list that are read for one name: a page may be empty and have a next one. */
const MOST_PAGES = 5;

/**
 * The only Job, run or CronJob that the arguments name. Throws ToolError with candidates if there are several, or with
 * similar names if there is none.
 */
export async function findTarget(ask: Ask, given: TargetArguments): Promise<Subject> {
  const wanted = parseTarget(given);
  if (wanted.name === "") throw new ToolError("The target has no name. Write NAMESPACE/NAME or KIND/NAME.");
  if (![wanted.cluster, wanted.namespace, wanted.name].every(canBeInPath)) throw new ToolError(NO_NAME);
  const complete = completeSubject(wanted);
  if (complete !== undefined) return complete;
  const found = await candidatesFor(ask, wanted);
  const [only, ...others] = found;
  if (only === undefined) return findByPlace(ask, wanted);
  if (others.length === 0) return { ...only, uid: wanted.uid };
  throw new ToolError(
    `${found.length} objects have this name. Call the tool again with the target of one of the candidates.`,
    found.slice(0, MOST_CANDIDATES).map((one) => presentSubject(one)),
  );
}

const MOST_CANDIDATES = 10;
const NO_NAME =
  "A part of the target is empty or no name. Write NAMESPACE/NAME, KIND/NAME or CLUSTER/NAMESPACE/KIND/NAME.";

/** URLs resolve `.` and `..`, also encoded ones: the path would be that of another route. */
function canBeInPath(part: string | undefined): boolean {
  return part === undefined || (part !== "" && part !== "." && part !== ".." && part.isWellFormed());
}

function completeSubject({ cluster, namespace, kind, name, uid }: WantedTarget): Subject | undefined {
  return cluster === undefined || namespace === undefined || kind === undefined
    ? undefined
    : { cluster, namespace, kind, name, uid };
}

/** The Jobs and runs of the name, each place and kind once. */
async function candidatesFor(ask: Ask, wanted: WantedTarget): Promise<readonly Subject[]> {
  const [jobs, runs] = await Promise.all([jobsNamed(ask, wanted), runsNamed(ask, wanted)]);
  const found = distinct([...jobs, ...runs]);
  if (found.length > 0) return found;
  const cronJobs = await cronJobsNamed(ask, wanted);
  return cronJobs.length > 0 ? cronJobs : runsOfAddedKind(ask, wanted);
}

async function jobsNamed(ask: Ask, { cluster, namespace, kind, name, uid }: WantedTarget): Promise<readonly Subject[]> {
  if (kind !== undefined && kind !== "job") return [];
  const jobs = await listNamed<JobAnswer>(ask, "/v1/jobs", { cluster, namespace, name });
  return jobs.filter((job) => uid === undefined || job.uid === uid).map((job) => placeOf(job, "job"));
}

async function runsNamed(ask: Ask, { cluster, namespace, kind, name, uid }: WantedTarget): Promise<readonly Subject[]> {
  if (kind === "job" || kind === "cronjob") return [];
  const runs = await listNamed<RunAnswer>(ask, "/v1/runs", { cluster, namespace, kind, name });
  return runs.filter((run) => uid === undefined || run.uid === uid).map((run) => placeOf(run, run.kind));
}

async function cronJobsNamed(ask: Ask, { cluster, namespace, kind, name }: WantedTarget): Promise<readonly Subject[]> {
  if (kind !== undefined && kind !== "cronjob") return [];
  const cronJobs = await listNamed<CronJobAnswer>(ask, "/v1/cronjobs", { cluster, namespace, name, unfiltered: true });
  return distinct(cronJobs.map((cronJob) => placeOf(cronJob, "cronjob")));
}

/** `experiment/mnist` reads as a namespace and a name, unless it is known that users have added the kind. */
async function runsOfAddedKind(
  ask: Ask,
  { cluster, namespace, kind, name }: WantedTarget,
): Promise<readonly Subject[]> {
  if (kind !== undefined || namespace === undefined || cluster !== undefined || !canBeRunKind(namespace)) return [];
  const runs = await listNamed<RunAnswer>(ask, "/v1/runs", { kind: namespace, name });
  return distinct(runs.map((run) => placeOf(run, run.kind)));
}

/** The items of a list with this name. A list without a filter by name is filtered here. */
async function listNamed<Item extends { readonly name: string }>(
  ask: Ask,
  path: string,
  { unfiltered = false, ...query }: ListQuery,
): Promise<readonly Item[]> {
  const { name, ...place } = query;
  const asked = unfiltered ? { ...place, limit: MOST_NAMES } : { ...query, limit: NAMED };
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const listed: Page<Item> = await read(ask, path, { ...asked, cursor });
    found.push(...listed.items.filter((item) => item.name === name));
    cursor = listed.nextCursor;
    if (cursor === undefined || found.length >= NAMED) break;
  }
  return found;
}

interface ListQuery extends Omit<WantedTarget, "uid"> {
  /** Whether the route has no filter by name. @default false */
  readonly unfiltered?: boolean;
}

function placeOf({ cluster, namespace, name }: Omit<Subject, "kind">, kind: string): Subject {
  return { cluster, namespace, kind: kind.toLowerCase(), name };
}

function distinct(subjects: readonly Subject[]): readonly Subject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

/**
 * A Job that lists do not have: its state has expired, and the archive has it. Only its own path answers, which needs
 * a cluster and a namespace.
 */
async function findByPlace(ask: Ask, wanted: WantedTarget): Promise<Subject> {
  const { namespace, kind, name, uid } = wanted;
  const cluster = wanted.cluster ?? (await onlyCluster(ask));
  if (cluster !== undefined && namespace !== undefined && (kind === undefined || kind === "job")) {
    const job = { cluster, namespace, kind: "job", name, uid };
    if ((await ask(pathWith(jobPath(job), { uid }))).outcome === "answered") return job;
  }
  throw unknown(wanted, await namesNear(ask, wanted));
}

async function onlyCluster(ask: Ask): Promise<string | undefined> {
  const { items } = await read<Page<ClusterAnswer>>(ask, "/v1/clusters");
  return items.length === 1 ? items[0]?.name : undefined;
}

/** The names of recent Jobs and runs that are similar. */
async function namesNear(ask: Ask, { cluster, namespace, name }: WantedTarget): Promise<readonly Subject[]> {
  const query = { cluster, namespace, limit: 200 };
  const [jobs, runs] = await Promise.all([
    read<Page<JobAnswer>>(ask, "/v1/jobs", query),
    read<Page<RunAnswer>>(ask, "/v1/runs", query),
  ]);
  const known = distinct([
    ...jobs.items.map((job) => placeOf(job, "job")),
    ...runs.items.map((run) => placeOf(run, run.kind)),
  ]);
  const near = nearestNames(
    name,
    known.map((one) => one.name),
  );
  const containing = known.filter((one) => one.name.includes(name));
  return distinct([...near.flatMap((like) => known.filter((one) => one.name === like)), ...containing]);
}

function unknown({ name, cluster, namespace }: WantedTarget, near: readonly Subject[]): ToolError {
  const where = [
    ...(plain(namespace) === undefined ? [] : [` in namespace ${namespace}`]),
    ...(plain(cluster) === undefined ? [] : [` of cluster ${cluster}`]),
  ].join("");
  const word = plain(name);
  const what = `No Job, run or CronJob ${word === undefined ? "of this name" : `named ${word}`} is known${where}`;
  const shown = near.filter((one) => targetOf(one) !== undefined).slice(0, MOST_CANDIDATES);
  return shown.length === 0
    ? new ToolError(`${what}, or these credentials have no access to it. Search with find_runs.`)
    : new ToolError(
        `${what}. The candidates have similar names; find_runs searches for others.`,
        shown.map((one) => presentSubject(one)),
      );
}
