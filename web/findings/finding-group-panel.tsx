import { useState } from "preact/hooks";
import { Panel } from "../shell/panel.tsx";
import { linkTo, linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { CauseCount } from "./cause-count.tsx";
import type { FindingGroup, JobFinding } from "./finding-groups.ts";
import { KIND_TEXTS } from "../../src/explain/findings/findings.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import { useLive } from "../api/live.ts";
import { loadJob, loadWhy } from "../job/job-requests.ts";
import { PodList } from "../job/pod-list.tsx";
import { Remedies } from "../job/remedies.tsx";
import { WithLive } from "../shell/with-live.tsx";

/** How many Jobs of a group are listed at first, and at most. */
const COLLAPSED_COUNT = 8;
const EXPANDED_COUNT = 200;

interface FindingGroupPanelProps {
  readonly group: FindingGroup;
  readonly isExpanded: boolean;
}

/** One kind of finding: what it means, and each Job with the finding in one sentence. */
export function FindingGroupPanel({ group, isExpanded }: FindingGroupPanelProps) {
  const [expanded, setExpanded] = useState(isExpanded);
  const { kind, jobFindings, reasons } = group;
  const { title, meaning } = KIND_TEXTS[kind];
  const shown = jobFindings.slice(0, expanded ? EXPANDED_COUNT : COLLAPSED_COUNT);
  const heading = (
    <>
      {title} <span class="quiet">{plural(jobFindings.length, "Job")}</span>
    </>
  );
  return (
    <Panel id={`kind-${kind}`} title={heading} remark={meaning} long>
      {reasons.length === 0 ? null : <Limits group={group} />}
      <ul class="findings jobs-with-finding">
        {shown.map((jobFinding) => (
          <JobFindingItem key={`${jobFinding.job.cluster} ${jobFinding.job.uid}`} jobFinding={jobFinding} />
        ))}
      </ul>
      {jobFindings.length > shown.length ? (
        <p class="more-rows">
          {expanded ? (
            <a href={linkTo("jobs", [], { attention: "true", q: kind })}>
              See all {number(jobFindings.length)} in the list of Jobs
            </a>
          ) : (
            <button type="button" onClick={() => setExpanded(true)}>
              Show {number(Math.min(EXPANDED_COUNT, jobFindings.length) - shown.length)} more
            </button>
          )}
        </p>
      ) : null}
    </Panel>
  );
}

/** Which limits ended the Jobs, and, on request, why their Pods failed. */
function Limits({ group: { reasons, jobFindings } }: { readonly group: FindingGroup }) {
  return (
    <div class="inside">
      <ul class="pods-named" aria-label="By limit">
        {reasons.map(([reason, count]) => (
          <li key={reason} class="tag">
            {shownText(reason)} {number(count)}
          </li>
        ))}
      </ul>
      <CauseCount jobFindings={jobFindings} />
    </div>
  );
}

function JobFindingItem({ jobFinding: { job, finding } }: { readonly jobFinding: JobFinding }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <p class="job-finding-head">
        <StateBadge state={job.verdict.state} final={job.verdict.final} />{" "}
        <a href={linkToJob(job)}>
          <ClusterText text={job.name} />
        </a>{" "}
        <span class="quiet">
          <ClusterText text={job.cluster} /> / <ClusterText text={job.namespace} />,{" "}
          <Age at={finding.since ?? job.createdAt} /> ago
        </span>
      </p>
      <p class="breaks">{shownText(finding.message)}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="quiet">Pods and how to fix it</summary>
        {open ? <FindingPods job={job} kind={finding.kind} /> : null}
      </details>
    </li>
  );
}

/** What the list omits: the names of the Pods, and how to fix the problem. */
function FindingPods({ job, kind }: { readonly job: JobAnswer; readonly kind: FindingKind }) {
  const one = useLive(job.uid, loadJob(job, undefined)).value;
  const why = useLive(job.uid, loadWhy(job)).value;
  return (
    <>
      <WithLive live={one} what="the Pods">
        {({ findings }) =>
          findings
            .filter((finding) => finding.kind === kind)
            .map((finding) => <PodList key={finding.message} finding={finding} />)
        }
      </WithLive>
      {why.phase === "answered" && why.answer.remedies.length > 0 ? <Remedies remedies={why.answer.remedies} /> : null}
    </>
  );
}
