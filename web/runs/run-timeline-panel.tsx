import { useMemo } from "preact/hooks";
import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { type Live, useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { MAX_NAMED } from "../job/timeline/timeline.ts";
import { TimelineFigures } from "../job/timeline/timeline-figures.tsx";
import { bandsOf, silenceBefore } from "../job/timeline/timeline-marks.ts";
import { now } from "../shell/clock.ts";
import { Panel } from "../shell/panel.tsx";
import { WithLive } from "../shell/with-live.tsx";
import { millisOf } from "../text/instant-text.ts";
import { jobsWithPods, layOutRun, marksOfRun } from "./run-timeline.ts";
import { loadPodsOfJobs } from "./run-requests.ts";

const PODS_INTERVAL = 60_000;

interface RunTimelinePanelProps {
  readonly run: RunAnswer;
  readonly jobs: Live<ReadPages<JobAnswer>>;
}

/** Attempts, Jobs and Pods on one time axis. */
export function RunTimelinePanel({ run, jobs }: RunTimelinePanelProps) {
  return (
    <Panel id="timeline" title="Timeline of Jobs and Pods" long>
      <WithLive live={jobs} what="the Jobs">
        {({ items }) =>
          items.length === 0 ? (
            <p class="inside quiet">No Job of this run was observed.</p>
          ) : (
            <FiguresWithPods key={items.map(({ uid }) => uid).join()} run={run} jobs={items} />
          )
        }
      </WithLive>
    </Panel>
  );
}

interface FiguresProps {
  readonly run: RunAnswer;
  readonly jobs: readonly JobAnswer[];
}

function FiguresWithPods({ run, jobs }: FiguresProps) {
  const shown = jobsWithPods(jobs);
  const key = shown.map(({ cluster, uid }) => `${cluster}/${uid}`).join();
  const live = useLive(key, loadPodsOfJobs(shown), { everyMillis: PODS_INTERVAL }).value;
  return (
    <WithLive live={live} what="the Pods">
      {(pods) => <RunFigures run={run} jobs={jobs} pods={pods} />}
    </WithLive>
  );
}

interface RunFiguresProps extends FiguresProps {
  readonly pods: ReadonlyMap<string, readonly Attempt[]>;
}

function RunFigures({ run, jobs, pods }: RunFiguresProps) {
  const marks = marksOfRun(run);
  const timeline = useMemo(
    () => layOutRun({ run, jobs, pods }, marks, now.peek()),
    [jobs, pods, run.finishedAt, marks.length],
  );
  const silence = run.verdict.final ? [] : silenceBefore(timeline.to, millisOf(run.asOf.time));
  const bands = [...bandsOf(run.completeness.gaps), ...silence];
  return <TimelineFigures timeline={timeline} marks={marks} bands={bands} noun="row" howToRead={HOW_TO_READ} />;
}

const HOW_TO_READ =
  "Point at a bar for details. Each Job has a row, and its Pods the rows below it. " +
  `In a run of more than ${MAX_NAMED} Jobs and Pods, only the Jobs are drawn.`;
