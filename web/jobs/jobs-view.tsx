import { Banner } from "../shell/banner.tsx";
import { goTo, route } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { VirtualTable } from "../table/virtual-table.tsx";
import { number, plural } from "../text/plural.ts";
import { FilterBar } from "./filter-bar.tsx";
import { JOB_COLUMNS } from "./job-columns.tsx";
import { type JobList, useJobList } from "./job-list.ts";
import { type JobListRow, rowsWithWords } from "./job-list-row.ts";
import { SavedViewsBar } from "./saved-views-bar.tsx";
import { linkTo } from "../shell/route.ts";

export function JobsView() {
  useTitle("Jobs");
  const { parameters } = route.value;
  const live = useJobList(parameters);
  return (
    <>
      <SavedViewsBar />
      <FilterBar />
      <WithLive live={live} what="the Jobs" isView>
        {(list) => <ListedJobs list={list} words={parameters["q"] ?? ""} />}
      </WithLive>
    </>
  );
}

function ListedJobs({ list, words }: { readonly list: JobList; readonly words: string }) {
  const rows = rowsWithWords(list.rows, words);
  const incomplete = rows.filter((row) => row.incomplete).length;
  return (
    <>
      {incomplete > 0 ? (
        <Banner tone="warn" title={`${plural(incomplete, "Job")} may be incomplete:`}>
          part of their life was not observed. Their rows are tagged "gaps"; their pages list the gaps.
        </Banner>
      ) : null}
      {rows.length === 0 ? (
        <NoJobs filtered={list.rows.length > 0} />
      ) : (
        <section class="panel" aria-label="Jobs">
          <header>
            <h1 aria-live="polite">{plural(rows.length, "Job")}</h1>
            <span class="quiet">{remark(list, rows.length)}</span>
          </header>
          <VirtualTable label="Jobs" rows={rows} columns={JOB_COLUMNS} keyOf={keyOf} onOpen={open} height="page-tall" />
        </section>
      )}
    </>
  );
}

function keyOf({ uid, cluster }: JobListRow): string {
  return `${cluster}/${uid}`;
}

function open({ cluster, namespace, name, uid }: JobListRow): void {
  goTo({ view: "job", path: [cluster, namespace, name], parameters: { uid } });
}

function remark({ rows, more, growing }: JobList, shown: number): string {
  if (growing) return "loading more…";
  const among = shown < rows.length ? `of ${number(rows.length)} loaded` : "";
  return more ? `${among} There are more Jobs than the page loads: narrow the filters to see the rest.`.trim() : among;
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
