import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Observation } from "../../parents/cron-job/due-runs.ts";
import type { Scope } from "../access/scope.ts";
import { clusterNames } from "../clusters/clusters.ts";
import { encodeCursor } from "../list/cursor.ts";
import { comparePlaces, type Paged, type PageQuery, pageOfItems, type Place, startOfPage } from "../list/page.ts";
import type { QueryPorts } from "../ports.ts";
import { presentCronFinding, type CronJobAnswer, type KnownCronJob, knownCronJobs } from "./cron-jobs.ts";
import { observationOf } from "./observation.ts";
import { RecentFindings } from "./recent-findings.ts";

export interface CronJobsQuery extends PageQuery {
  readonly cluster?: ClusterName | undefined;
  readonly namespace?: string | undefined;
  /** Lists CronJobs with findings only, with their findings, at this instant. */
  readonly attentionAt?: Instant | undefined;
}

/** CronJobs by cluster, namespace and name. */
export async function listCronJobs(
  ports: QueryPorts,
  scope: Scope,
  query: CronJobsQuery,
): Promise<Paged<CronJobAnswer>> {
  const { cluster, namespace, attentionAt } = query;
  const clusters = await clusterNames(ports.meta, scope, cluster);
  const found = (await Promise.all(clusters.map((name) => knownCronJobs(ports.meta, scope, name)))).flat();
  const wanted = found
    .filter(({ answer }) => namespace === undefined || answer.namespace === namespace)
    .toSorted((a, b) => comparePlaces(placeOf(a.answer), placeOf(b.answer)));
  if (attentionAt !== undefined) return pageWithFindings(ports, wanted, { ...query, attentionAt });
  const items = wanted.map(({ answer }) => answer);
  return pageOfItems({ items, question: { cronJobs: [cluster, namespace] }, placeOf }, query);
}

function placeOf({ cluster, namespace, name, uid }: CronJobAnswer): Place {
  return [decodeClusterName(cluster) ?? cluster, namespace, name, uid];
}

/** How many CronJobs one page examines: each takes a few reads. A page may have fewer items and not be the last. */
const MAX_EXAMINED = 100;

async function pageWithFindings(
  ports: QueryPorts,
  cronJobs: readonly KnownCronJob[],
  { cluster, namespace, limit, cursor, attentionAt }: CronJobsQuery & { readonly attentionAt: Instant },
): Promise<Paged<CronJobAnswer>> {
  const question = { cronJobsWithFindings: [cluster, namespace] };
  const start = startOfPage(question, cursor);
  if (start.outcome === "badCursor") return start;
  const { after } = start;
  const rest = cronJobs.filter(({ answer }) => after === undefined || comparePlaces(placeOf(answer), after) > 0);
  const examiner = new Examiner(ports, attentionAt);
  const items: CronJobAnswer[] = [];
  let examined = 0;
  for (const cronJob of rest.slice(0, MAX_EXAMINED)) {
    if (items.length === limit) break;
    examined += 1;
    const findings = await examiner.findingsOf(cronJob);
    if (findings.length > 0) items.push({ ...cronJob.answer, findings: findings.map(presentCronFinding) });
  }
  const last = rest.length > examined ? rest[examined - 1] : undefined;
  return {
    outcome: "listed",
    items,
    ...(last !== undefined && { nextCursor: encodeCursor(question, placeOf(last.answer)) }),
  };
}

/** Reads what is known of each cluster once. */
class Examiner {
  readonly #ports: QueryPorts;
  readonly #now: Instant;
  readonly #recent = new RecentFindings();
  readonly #observations = new Map<string, Promise<Observation>>();

  constructor(ports: QueryPorts, now: Instant) {
    this.#ports = ports;
    this.#now = now;
  }

  async findingsOf(cronJob: KnownCronJob) {
    const cluster = decodeClusterName(cronJob.answer.cluster);
    if (cluster === undefined) return [];
    const known = this.#observations.get(cluster) ?? observationOf(this.#ports.meta, cluster, this.#now);
    this.#observations.set(cluster, known);
    return this.#recent.of(this.#ports, cronJob, await known);
  }
}
