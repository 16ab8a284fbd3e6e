import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { VirtualTable } from "../table/virtual-table.tsx";
import { number, plural } from "../text/plural.ts";
import { FilterBar } from "./filter-bar.tsx";
import { JOB_COLUMNS } from "./job-columns.tsx";
import { useJobList } from "./job-list.ts";
import { keyOf } from "./changed-rows.ts";
import { rowsWithWords } from "./job-list-row.ts";
import { type JobList, MAX_ROWS } from "./loaded-list.ts";
import { openJob } from "./open-job.ts";
import { SavedViewsBar } from "./saved-views-bar.tsx";
import { linkTo } from "../shell/route.ts";

export function JobsView() {
  useTitle("Jobs");
  const { parameters } = route.value;
  const { live, readMore } = useJobList(parameters);
  return (
    <>
      <SavedViewsBar />
      <FilterBar />
      <WithLive live={live} what="the Jobs" isView>
        {(list) => <ListedJobs list={list} words={(parameters["q"] ?? "").trim()} readMore={readMore} />}
      </WithLive>
    </>
  );
}

interface ListedJobsProps {
  readonly list: JobList;
  readonly words: string;
  readonly readMore: (limit?: number) => void;
}

function ListedJobs({ list, words, readMore }: ListedJobsProps) {
  const rows = rowsWithWords(list.rows, words);
  const incomplete = rows.filter((row) => row.incomplete).length;
  const mayGrow = list.more && list.rows.length < MAX_ROWS;
  // A search or a filter that few Jobs match would load the whole list.
  const onNearEnd = mayGrow && words === "" && rows.length > 0 ? () => readMore() : undefined;
  return (
    <>
      {incomplete > 0 ? (
        <Banner tone="warn" title={`${plural(incomplete, "Job")} may be incomplete:`}>
          part of their life was not observed. Their rows are tagged "gaps"; their pages list the gaps.
        </Banner>
      ) : null}
      {rows.length === 0 && !list.more ? (
        <NoJobs filtered={list.rows.length > 0} />
      ) : (
        <section class="panel" aria-label="Jobs">
          <header>
            <h1 aria-live="polite">{countText(rows.length, list.more)}</h1>
            <span class="quiet">{remark(list, words)}</span>
            {mayGrow ? (
              <button type="button" disabled={list.isGrowing} onClick={() => readMore(MAX_LIST_LIMIT)}>
                Load more
              </button>
            ) : null}
          </header>
          <VirtualTable
            label="Jobs"
            rows={rows}
            columns={JOB_COLUMNS}
            keyOf={keyOf}
            onOpen={openJob}
            height="page-tall"
            onNearEnd={onNearEnd}
          />
        </section>
      )}
    </>
  );
}

/** MAX_LIST_LIMIT of src/query/list/list-jobs.ts. */
const MAX_LIST_LIMIT = 500;

/** "100+ Jobs": how many match is known only when all are loaded. */
function countText(rows: number, more: boolean): string {
  return more ? `${number(rows)}+ Jobs` : plural(rows, "Job");
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
  const hasFilters = Object.keys(route.value.parameters).some((name) => name !== "sort");
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
