import { Banner } from "../shell/banner.tsx";
import { setParameters } from "../shell/location.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";

/** How far the answer can be trusted. Nothing if it is complete. */
export function JobBanners({ job, asOf }: { readonly job: JobWithGenerations; readonly asOf: string | undefined }) {
  const { level, gaps, heardAt } = job.completeness;
  return (
    <>
      {asOf === undefined ? null : (
        <Banner tone="warn" title="State at an earlier time:">
          verdict, findings and status are as of <Moment at={asOf} />. Everything below is current.{" "}
          {job.asOf.bound === undefined ? null : `${BOUNDED} `}
          <button type="button" onClick={() => setParameters({ asOf: undefined }, "push")}>
            Back to now
          </button>
        </Banner>
      )}
      {asOf === undefined && job.asOf.bound !== undefined ? (
        <Banner tone="warn" title="Times are lower bounds:">
          the objects of the cluster have no managedFields. This answer is as of <Moment at={job.asOf.time} /> or later.
        </Banner>
      ) : null}
      {level === "stale" && heardAt !== undefined ? (
        <Banner tone="warn" title="It may have changed.">
          The cluster has been silent since <Moment at={heardAt} />.
        </Banner>
      ) : null}
      {level === "gaps" ? (
        <Banner tone="warn" title="This answer may be incomplete.">
          {gaps.length === 0
            ? "Part of the Job's life was not observed."
            : `${plural(gaps.length, "monitoring gap")} during the Job's life: events may be missing.`}
          <GapList gaps={gaps} />
        </Banner>
      ) : null}
      {level === "reconciled" ? (
        <Banner tone="warn" title="Reconciled after a gap:">
          part of the Job's life was not observed, but Kubernetes' own counters agree with what is known.
          <GapList gaps={gaps} />
        </Banner>
      ) : null}
    </>
  );
}

const BOUNDED = "The arrival times of some facts are unknown: this state may have become true later.";

function GapList({ gaps }: { readonly gaps: JobWithGenerations["completeness"]["gaps"] }) {
  return (
    <ul>
      {gaps.map(({ from, to, resources, reason }) => (
        <li key={`${from} ${to} ${reason}`}>
          {from === undefined ? "from the start" : <Moment at={from} />} to{" "}
          {to === undefined ? "now" : <Moment at={to} />}: {shownText(reason)} ({resources.map(shownText).join(", ")})
        </li>
      ))}
    </ul>
  );
}
