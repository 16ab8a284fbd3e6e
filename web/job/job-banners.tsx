import { Banner } from "../shell/banner.tsx";
import { setParameters } from "../shell/location.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import type { OneJob } from "./one-job.ts";

/** How far the answer can be trusted. Nothing where it can be trusted wholly. */
export function JobBanners({ job, asOf }: { readonly job: OneJob; readonly asOf: string | undefined }) {
  const { level, gaps } = job.completeness;
  return (
    <>
      {asOf === undefined ? null : (
        <Banner tone="warn" title="As it was known at an earlier time:">
          verdict, findings and the three sides are of <Moment at={asOf} />; what stands below is all that is known.{" "}
          <button type="button" onClick={() => setParameters({ asOf: undefined }, "push")}>
            Back to now
          </button>
        </Banner>
      )}
      {level === "gaps" ? (
        <Banner tone="warn" title="This answer may not be whole.">
          {gaps.length === 0
            ? "A part of the Job's life was not watched."
            : `Nobody watched ${plural(gaps.length, "time")} in the Job's life: what happened then may be missing.`}
          <GapList gaps={gaps} />
        </Banner>
      ) : null}
      {level === "reconciled" ? (
        <Banner tone="warn" title="A gap was closed:">
          nobody watched for a part of the Job's life, and afterwards Kubernetes' own counters agreed with what is
          known.
          <GapList gaps={gaps} />
        </Banner>
      ) : null}
    </>
  );
}

function GapList({ gaps }: { readonly gaps: OneJob["completeness"]["gaps"] }) {
  return (
    <ul>
      {gaps.map(({ from, to, resources, reason }) => (
        <li key={`${from} ${to} ${reason}`}>
          {from === undefined ? "from the beginning" : <Moment at={from} />} to{" "}
          {to === undefined ? "now" : <Moment at={to} />}: {shownText(reason)} ({resources.map(shownText).join(", ")})
        </li>
      ))}
    </ul>
  );
}
