import { useState } from "preact/hooks";
import { Panel } from "../shell/panel.tsx";
import { linkTo, linkToJob } from "../shell/place.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import type { Concern, ConcernGroup } from "./attention-groups.ts";
import { CauseCount } from "./cause-count.tsx";
import { ConcernPods } from "./concern-pods.tsx";
import { KIND_TEXTS } from "./finding-kinds.ts";

/** How many Jobs of a group are listed before the reader asks for more. */
const FEW = 8;
const MANY = 200;

/** One kind of finding: what it means, and each Job with its answer in a sentence. */
export function ConcernPanel({ group, whole }: { readonly group: ConcernGroup; readonly whole: boolean }) {
  const [all, setAll] = useState(whole);
  const { kind, concerns, reasons } = group;
  const { title, meaning } = KIND_TEXTS[kind];
  const shown = concerns.slice(0, all ? MANY : FEW);
  return (
    <Panel
      id={`kind-${kind}`}
      title={
        <>
          {title} <span class="quiet">{plural(concerns.length, "Job")}</span>
        </>
      }
      remark={meaning}
      long
    >
      {reasons.length === 0 ? null : (
        <div class="inside">
          <ul class="pods-named" aria-label="By limit">
            {reasons.map(([reason, count]) => (
              <li key={reason} class="tag">
                {shownText(reason)} {number(count)}
              </li>
            ))}
          </ul>
          <CauseCount concerns={concerns} />
        </div>
      )}
      <ul class="findings concerns">
        {shown.map((concern) => (
          <ConcernItem key={`${concern.job.cluster} ${concern.job.uid}`} concern={concern} />
        ))}
      </ul>
      {concerns.length > shown.length ? (
        <p class="more-rows">
          {all ? (
            <a href={linkTo("jobs", [], { attention: "true", q: kind })}>
              See all {number(concerns.length)} among the Jobs
            </a>
          ) : (
            <button type="button" onClick={() => setAll(true)}>
              Show {number(Math.min(MANY, concerns.length) - shown.length)} more
            </button>
          )}
        </p>
      ) : null}
    </Panel>
  );
}

function ConcernItem({ concern: { job, finding } }: { readonly concern: Concern }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <p class="concern-head">
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
        <summary class="quiet">Pods and what helps</summary>
        {open ? <ConcernPods job={job} kind={finding.kind} /> : null}
      </details>
    </li>
  );
}
