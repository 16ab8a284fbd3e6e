import { USAGE_GROUPS, type UsageGrouping } from "../../src/query/usage/usage-group.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { type Load, useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import type { Bucket, TimeRange } from "../pictures/bucket.ts";
import { coveredBuckets, type Observed } from "../pictures/coverage.ts";
import { Picture } from "../pictures/picture.tsx";
import { route } from "../shell/location.ts";
import { OnRequest } from "../shell/on-request.tsx";
import { WithLive } from "../shell/with-live.tsx";
import { jobsIn, type SummaryQuery, timeBounds } from "../summary/summary-range.ts";
import { millisOf } from "../text/instant-text.ts";
import { UsageGroups } from "./usage-groups.tsx";
import { UsagePanel } from "./usage-panel.tsx";
import { usageOf, wasteOf } from "./usage-pictures.ts";

/** What Jobs reserved that are over changes slowly, and a database file reads many Jobs for it. */
const INTERVAL = 300_000;
const MOST = 10;

/** A deployment has sums of these. For other groups it reads up to 50,000 Jobs, so that people must ask for them. */
const SUMMED: ReadonlySet<UsageGrouping> = new Set<UsageGrouping>(["cluster", "namespace"]);

interface ReservedProps {
  readonly query: SummaryQuery;
  /** Pods that succeeded again, of the Jobs of the summary. */
  readonly reRuns: number;
  /** Needed for pictures. */
  readonly observed?: Observed;
}

/** What the Jobs of a summary reserved: over time, by what became of it, by the chosen group, and what wastes most. */
export function ReservedSummary({ query, ...shown }: ReservedProps) {
  const grouping = USAGE_GROUPS.find((known) => known === route.value.parameters["by"]);
  return (
    <>
      {isSummed(query) ? (
        <ReservedNow query={query} {...shown} />
      ) : (
        <OnRequest
          name="usage"
          showLabel="Read what the Jobs reserved"
          hideLabel="Hide what the Jobs reserved"
          what="the Jobs"
          of={JSON.stringify(parametersOf(query))}
          load={loading(query, byTime(query))}
        >
          {(report) => <Reserved report={report} query={query} {...shown} />}
        </OnRequest>
      )}
      {grouping === undefined ? null : <ReservedBy query={query} by={grouping} />}
      <FirstGroups query={query} name="waste" title="Series that waste most" more={{ by: "series", sort: "waste" }} />
    </>
  );
}

/** A deployment has sums by cluster, namespace and day. Everything else reads Jobs. */
function isSummed({ filters, range }: SummaryQuery): boolean {
  return range?.unit !== "hour" && filters["owner"] === undefined && filters["labelSelector"] === undefined;
}

function parametersOf(query: SummaryQuery): Readonly<Record<string, string>> {
  return { ...query.filters, ...timeBounds(query) };
}

function byTime({ range }: SummaryQuery): Readonly<Record<string, string>> {
  return range === undefined ? {} : { by: range.unit };
}

/** Asks for a report of the Jobs and the time that the view shows. */
function loading(query: SummaryQuery, more: Readonly<Record<string, string>>): Load<UsageReport> {
  return (signal) => request<UsageReport>("usage", { ...parametersOf(query), ...more }, signal);
}

function ReservedNow({ query, ...shown }: ReservedProps) {
  const load = loading(query, byTime(query));
  const live = useLive(JSON.stringify(parametersOf(query)), load, { everyMillis: INTERVAL }).value;
  return (
    <WithLive live={live} what="what the Jobs reserved">
      {(report) => <Reserved report={report} query={query} {...shown} />}
    </WithLive>
  );
}

function Reserved({ report, query, reRuns, observed }: ReservedProps & { readonly report: UsageReport }) {
  const { usage, complete } = report;
  if (usage.pods === 0) return <p class="quiet">No Pod of a Job that is over reserved anything in this time.</p>;
  const newest = complete ? "" : " Only the newest ones are included.";
  return (
    <>
      {query.range === undefined || observed === undefined ? null : (
        <UsagePictures report={report} query={query} range={query.range} reRuns={reRuns} observed={observed} />
      )}
      <UsagePanel usage={usage} />
      <p class="quiet small">Of Jobs that are over.{newest}</p>
    </>
  );
}

interface PicturesProps extends ReservedProps {
  readonly report: UsageReport;
  readonly range: TimeRange;
  readonly observed: Observed;
}

function UsagePictures({ report, query, range, reRuns, observed }: PicturesProps) {
  const used = new Set((report.groups ?? []).map(({ key }) => millisOf(key)));
  const answered = { hasJobs: ({ at }: Bucket) => used.has(at), readSince: millisOf(report.partial?.since) };
  const shown = { unit: range.unit, buckets: coveredBuckets(range, observed, answered), report };
  const jobsOf = (bucket: Bucket) => jobsIn(query, bucket);
  return (
    <div class="pictures">
      <Picture title="Reserved Pod time" {...usageOf(shown)} jobsOf={jobsOf} />
      <Picture title="Wasted Pod time" {...wasteOf(shown, reRuns)} jobsOf={jobsOf} />
    </div>
  );
}

/** The same by cluster or namespace, and on request by owner. */
function ReservedBy({ query, by }: { readonly query: SummaryQuery; readonly by: UsageGrouping }) {
  const title = `Reserved by ${by}`;
  if (SUMMED.has(by) && isSummed(query)) return <GroupsNow query={query} by={by} title={title} />;
  return <FirstGroups query={query} name={`usage-${by}`} title={title} more={{ by }} />;
}

interface GroupsNowProps {
  readonly query: SummaryQuery;
  readonly by: UsageGrouping;
  readonly title: string;
}

function GroupsNow({ query, by, title }: GroupsNowProps) {
  const key = JSON.stringify([by, parametersOf(query)]);
  const live = useLive(key, loading(query, { by }), { everyMillis: INTERVAL }).value;
  return (
    <WithLive live={live} what="what the Jobs reserved">
      {({ groups = [] }) => <UsageGroups title={title} groups={groups} />}
    </WithLive>
  );
}

interface FirstGroupsProps {
  readonly query: SummaryQuery;
  readonly name: string;
  readonly title: string;
  readonly more: Readonly<Record<string, string>>;
}

/** The first groups of a report that reads many Jobs. */
function FirstGroups({ query, name, title, more }: FirstGroupsProps) {
  return (
    <OnRequest
      name={name}
      showLabel={title}
      hideLabel={`Hide: ${title}`}
      what="the Jobs"
      of={JSON.stringify([parametersOf(query), more])}
      load={loading(query, more)}
    >
      {({ groups = [] }) => {
        const first = groups.filter(({ key }) => key !== "").slice(0, MOST);
        return first.length === 0 ? <p class="quiet">{title}: none.</p> : <UsageGroups title={title} groups={first} />;
      }}
    </OnRequest>
  );
}
