import { place } from "../shell/location.ts";
import { linkTo } from "../shell/place.ts";

/** Why the list is empty, and what to do about it. */
export function NoJobs({ filtered }: { readonly filtered: boolean }) {
  const asked = Object.keys(place.value.parameters).some((name) => name !== "sort");
  return (
    <div class="empty">
      <h1>{asked || filtered ? "No Job meets these filters" : "No Job is known yet"}</h1>
      {asked || filtered ? (
        <p>
          Take one away, or see <a href={linkTo("jobs")}>all Jobs</a>.
        </p>
      ) : (
        <>
          <p>Import a recording, or let the exporter send what it watches:</p>
          <pre>
            outlive import examples/pod-gc-ate-success.ndjson.gz{"\n"}
            kubectl get jobs,pods -A --watch --output-watch-events -o json | outlive import -
          </pre>
        </>
      )}
    </div>
  );
}
