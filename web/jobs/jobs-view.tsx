import { serverAddress } from "../controls/server-address.ts";
import { rowFilters } from "../filters/active-filters.ts";
import { listCommand } from "../filters/list-command.ts";
import { SavedViews } from "../saved-views/saved-views.tsx";
import { useViewTitle } from "../saved-views/use-view-title.ts";
import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ListTable } from "../table/list-table.tsx";
import { Moment } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { keyOf } from "./changed-rows.ts";
import { FilterBar } from "./filter-bar.tsx";
import { OFFERED_JOB_COLUMNS } from "./job-columns.tsx";
import { type GrowingList, useJobList } from "./job-list.ts";
import { type JobListRow, rowsWithWords } from "./job-list-row.ts";
import { SERVER_ORDERS } from "./list-parameters.ts";
import { type JobList, LONG_PAGE, MAX_ROWS } from "./loaded-list.ts";
import { openJob } from "./open-job.ts";

export function JobsView() {
  useViewTitle("Jobs");
  const { parameters } = route.value;
  const growing = useJobList(parameters);
  return (
    <>
      <SavedViews view="jobs" standard={STANDARD_VIEWS} />
      <FilterBar />
      <WithLive live={growing.live} what="the Jobs" isView>
        {(list) => <ListedJobs list={list} words={(parameters["q"] ?? "").trim()} growing={growing} />}
      </WithLive>
    </>
  );
}

const STANDARD_VIEWS = [
  { name: "All Jobs", link: linkTo("jobs") },
  { name: "Failed in 24 h", link: linkTo("jobs", [], { state: "Failed", created: "24h" }) },
  { name: "Running", link: linkTo("jobs", [], { state: "Running,Pending" }) },
];

interface ListedJobsProps {
  readonly list: JobList;
  readonly words: string;
  readonly growing: GrowingList;
}

function ListedJobs({ list, words, growing }: ListedJobsProps) {
  const rows = rowsWithWords(list.rows, words);
  const incomplete = rows.filter((row) => row.incomplete).length;
  return (
    <>
      {incomplete > 0 ? (
        <Banner tone="warn" title={`${plural(incomplete, "Job")} may be incomplete:`}>
          part of their life was not observed. Their rows are tagged "gaps"; their pages list the gaps.
        </Banner>
      ) : null}
      {list.sortedSince === undefined ? null : <SortedSince since={list.sortedSince} />}
      {rows.length === 0 && !list.more ? (
        <NoJobs filtered={list.rows.length > 0} />
      ) : (
        <JobTable list={list} words={words} growing={growing} rows={rows} />
      )}
    </>
  );
}

interface JobTableProps extends ListedJobsProps {
  /** Those that have the words. */
  readonly rows: readonly JobListRow[];
}

function JobTable({ list, words, rows, growing: { readMore, readAll, isReordering } }: JobTableProps) {
  const mayGrow = list.more && list.rows.length < MAX_ROWS;
  // A search or a filter that few Jobs match would load the whole list.
  const onNearEnd = mayGrow && words === "" && rows.length > 0 ? () => readMore() : undefined;
  return (
    <ListTable
      label="Jobs"
      name="jobs"
      noun="Job"
      rows={rows}
      offered={OFFERED_JOB_COLUMNS}
      server={SERVER_ORDERS}
      standard={NEWEST_FIRST}
      more={list.more}
      isComplete={!list.more && list.sortedSince === undefined}
      isBusy={list.isGrowing || isReordering}
      remark={remark(list, words)}
      loadMore={mayGrow ? () => readMore(LONG_PAGE) : undefined}
      loadAll={mayGrow ? { most: MAX_ROWS, load: readAll } : undefined}
      command={listCommand({ list: "jobs", parameters: route.value.parameters, server: serverAddress() })}
      keyOf={keyOf}
      onOpen={openJob}
      onNearEnd={onNearEnd}
    />
  );
}

const NEWEST_FIRST = { by: "created", descending: true };

/** The server sorts the newest Jobs only. */
function SortedSince({ since }: { readonly since: string }) {
  const earlier = { ...route.value.parameters, view: undefined, createdBefore: since };
  return (
    <Banner tone="warn" title="Not all Jobs are sorted:">
      these were created since <Moment at={since} />. <a href={linkTo("jobs", [], earlier)}>Sort the Jobs before</a>.
    </Banner>
  );
}

function remark({ rows, more, isGrowing, isBehind }: JobList, words: string): string {
  const loaded = number(rows.length);
  const parts = [
    words === "" ? "" : more ? `The search covers only the ${loaded} loaded Jobs.` : `of ${loaded} loaded`,
    isBehind ? "Too much has changed to update these rows: press r to read the newest ones." : "",
    isGrowing ? "Loading more…" : more && words === "" ? moreText(rows.length) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function moreText(loaded: number): string {
  return loaded < MAX_ROWS
    ? `${number(loaded)} loaded; more as you scroll.`
    : "There are more Jobs than the page loads: narrow the filters to see the rest.";
}

/** Why the list is empty, and what to do about it. */
function NoJobs({ filtered }: { readonly filtered: boolean }) {
  const hasFilters = Object.keys(rowFilters(route.value.parameters)).length > 0;
  return (
    <div class="empty">
      <h1>{hasFilters || filtered ? "No Jobs match these filters" : "No Jobs yet"}</h1>
      {hasFilters || filtered ? (
        <p>
          Remove a filter, or see <a href={linkTo("jobs")}>all Jobs</a>.
        </p>
      ) : (
        <>
          <p>Import a recording, or watch a cluster:</p>
          <pre>
            outlive import examples/pod-gc-ate-success.ndjson.gz{"\n"}
            kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive import -
          </pre>
        </>
      )}
    </div>
  );
}
