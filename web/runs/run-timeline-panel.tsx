import { useMemo } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { Live } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { MAX_NAMED } from "../job/timeline/timeline.ts";
import { TimelineFigures } from "../job/timeline/timeline-figures.tsx";
import { bandsOf, silenceBefore } from "../job/timeline/timeline-marks.ts";
import { now } from "../shell/clock.ts";
import { Panel } from "../shell/panel.tsx";
import { linkToJob, linkToPod } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { millisOf } from "../text/instant-text.ts";
import { layOutRun, marksOfRun, type PodsByJob } from "./run-timeline.ts";

interface RunTimelinePanelProps {
  readonly run: RunAnswer;
  readonly jobs: Live<ReadPages<JobAnswer>>;
  readonly pods: Live<PodsByJob>;
}

/** Attempts, Jobs and Pods on one time axis. */
export function RunTimelinePanel({ run, jobs, pods }: RunTimelinePanelProps) {
  return (
    <Panel id="timeline" title="Timeline of Jobs and Pods" long>
      <WithLive live={jobs} what="the Jobs">
        {({ items }) =>
          items.length === 0 ? (
            <p class="inside quiet">No Job of this run was observed.</p>
          ) : (
            <WithLive live={pods} what="the Pods">
              {(byJob) => <RunFigures run={run} jobs={items} pods={byJob} />}
            </WithLive>
          )
        }
      </WithLive>
    </Panel>
  );
}

interface RunFiguresProps {
  readonly run: RunAnswer;
  readonly jobs: readonly JobAnswer[];
  readonly pods: PodsByJob;
}

function RunFigures({ run, jobs, pods }: RunFiguresProps) {
  const marks = marksOfRun(run);
  const timeline = useMemo(
    () => layOutRun({ run, jobs, pods }, marks, now.peek()),
    [jobs, pods, run.finishedAt, marks.length],
  );
  const silence = run.verdict.final ? [] : silenceBefore(timeline.to, millisOf(run.asOf.time));
  const bands = [...bandsOf(run.completeness.gaps), ...silence];
  return (
    <TimelineFigures
      timeline={timeline}
      marks={marks}
      bands={bands}
      noun="row"
      howToRead={HOW_TO_READ}
      hrefOf={(uid) => hrefIn(jobs, pods, uid)}
    />
  );
}

/** The page of a Job or a Pod of the run. */
function hrefIn(jobs: readonly JobAnswer[], pods: PodsByJob, uid: string): string | undefined {
  const job = jobs.find((one) => one.uid === uid || pods.get(one.uid)?.some((pod) => pod.uid === uid));
  if (job === undefined) return undefined;
  return job.uid === uid ? linkToJob(job) : linkToPod({ ...job, job: job.name, jobUid: job.uid, uid });
}

const HOW_TO_READ =
  "Point at a bar for details, click to open it. Each Job has a row, and its Pods the rows below it. " +
  `In a run of more than ${MAX_NAMED} Jobs and Pods, only the Jobs are drawn.`;
