import type { JobAnswer } from "../explain/answer-document.ts";
import type { Route } from "../http/contract/route.ts";
import { changesRoute } from "../http/routes/changes.ts";
import { clustersRoute } from "../http/routes/clusters.ts";
import { cronJobsRoute } from "../http/routes/cron-jobs.ts";
import { gapsRoute } from "../http/routes/gaps.ts";
import { jobsRoute } from "../http/routes/jobs.ts";
import { STANDARD_LIMIT } from "../http/routes/list-page.ts";
import { summaryRoute } from "../http/routes/summary.ts";
import { compareText } from "../job/model/compare-text.ts";
import type { Instant } from "../job/model/instant.ts";
import { parseInstant } from "../job/model/instant.ts";
import type { ClusterGap } from "../query/clusters/gaps.ts";
import { instantAt, readGivenTime } from "../query/list/given-time.ts";
import type { CronJobAnswer } from "../query/cron-jobs/cron-jobs.ts";
import { changesOverCells } from "./changes-over-cells.ts";
import { clustersOverCells } from "./clusters-over-cells.ts";
import type { CellReader } from "./fan-out.ts";
import { type CellsReply, listOverCells } from "./list-over-cells.ts";
import type { ClusterItem, MergeOrder } from "./merge-pages.ts";
import { summaryOverCells } from "./summary-over-cells.ts";

/** A request for a route that all cells answer, with valid parameters. */
export interface MergedRequest {
  /** The parameters without `cursor`. */
  readonly parameters: URLSearchParams;
  readonly cursor: string | undefined;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

export interface MergedRoute {
  readonly route: Route;
  readonly merge: (reader: CellReader, request: MergedRequest) => Promise<CellsReply>;
}

/** The routes of the API that are about all clusters. All others name a cluster. */
export const MERGED_ROUTES: readonly MergedRoute[] = [
  {
    route: jobsRoute,
    merge: (reader, request) => {
      const direction = request.parameters.get("sort") === "createdAt" ? -1 : 1;
      return listOf<JobAnswer>(jobsRoute, { compare: (a, b) => direction * compareJobs(a, b), identity: uidOf })(
        reader,
        request,
      );
    },
  },
  { route: gapsRoute, merge: listOf<ClusterGap>(gapsRoute, { compare: compareGaps, identity: gapId }) },
  { route: cronJobsRoute, merge: listOf<CronJobAnswer>(cronJobsRoute, { compare: compareCronJobs, identity: uidOf }) },
  { route: clustersRoute, merge: (reader) => clustersOverCells(reader, clustersRoute.template) },
  {
    route: summaryRoute,
    merge: (reader, { parameters }) =>
      summaryOverCells(reader, {
        path: summaryRoute.template,
        parameters,
        cluster: parameters.get("cluster") ?? undefined,
      }),
  },
  {
    route: changesRoute,
    merge: (reader, { parameters, ...request }) =>
      changesOverCells(reader, {
        ...request,
        path: changesRoute.template,
        parameters,
        limit: numberIn(parameters, "limit") ?? STANDARD_LIMIT,
        waitSeconds: numberIn(parameters, "waitSeconds") ?? 0,
        since: sinceIn(parameters, request.clock()),
      }),
  },
];

function listOf<Item extends ClusterItem>({ template }: Route, order: MergeOrder<Item>): MergedRoute["merge"] {
  return (reader, { parameters, cursor }) =>
    listOverCells<Item>(reader, {
      ...order,
      path: template,
      parameters,
      cursor,
      limit: numberIn(parameters, "limit") ?? STANDARD_LIMIT,
    });
}

/** Newest first, then by uid and cluster, as one cell lists them. */
function compareJobs(a: JobAnswer, b: JobAnswer): number {
  const later = (parseInstant(b.createdAt) ?? 0) - (parseInstant(a.createdAt) ?? 0);
  return later || compareText(a.uid, b.uid) || compareText(a.cluster, b.cluster);
}

function uidOf({ cluster, uid }: { readonly cluster: string; readonly uid: string }): string {
  return `${cluster} ${uid}`;
}

function compareGaps(a: ClusterGap, b: ClusterGap): number {
  return compareText(a.cluster, b.cluster) || (parseInstant(a.from) ?? 0) - (parseInstant(b.from) ?? 0);
}

/** Two cells have watched one cluster at different times: their gaps are different. */
function gapId(gap: ClusterGap): string {
  return JSON.stringify(gap);
}

function compareCronJobs(a: CronJobAnswer, b: CronJobAnswer): number {
  return (
    compareText(a.cluster, b.cluster) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.uid, b.uid)
  );
}

function sinceIn(parameters: URLSearchParams, now: Instant): Instant | undefined {
  const read = readGivenTime(parameters.get("since")?.replace(" ", "+") ?? "");
  return "value" in read ? instantAt(read.value, now) : undefined;
}

function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  return text === null ? undefined : Number(text);
}
