import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import type { AttentionAnswer } from "../../src/query/attention/attention.ts";

/** What the answer does not cover. */
export function PartialBanner({ answer }: { readonly answer: AttentionAnswer }) {
  const { complete, partial, cronJobsOmitted = 0, nextCursor, items } = answer;
  const hasMore = nextCursor !== undefined;
  if (complete && !hasMore) return null;
  return (
    <Banner tone="warn" title="Not everything was read:">
      {partial === undefined ? null : (
        <>
          Jobs that were created before <Moment at={partial.since} /> are shown only if they still run.{" "}
        </>
      )}
      {cronJobsOmitted === 0
        ? null
        : `${plural(cronJobsOmitted, "late CronJob")} ${cronJobsOmitted === 1 ? "was" : "were"} not examined. `}
      {hasMore ? `Only the first ${plural(items.length, "entry", "entries")} are shown. ` : null}
      {route.value.parameters["cluster"] === undefined ? "Choose a cluster" : "Choose a namespace"} to narrow the list.
    </Banner>
  );
}
