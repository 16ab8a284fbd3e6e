import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";

/** Why the list is empty, and what to do about it. */
export function NoJobs({ filtered }: { readonly filtered: boolean }) {
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
