import { useMemo } from "preact/hooks";
import type { Attempt, Gap } from "../../src/explain/answer-document.ts";
import { TimelineFigures } from "../job/timeline/timeline-figures.tsx";
import { bandsOf } from "../job/timeline/timeline-marks.ts";
import { Panel } from "../shell/panel.tsx";
import { millisOf } from "../text/instant-text.ts";
import { layOutPod } from "./pod-life.ts";

interface PodTimelinePanelProps {
  readonly attempt: Attempt;
  readonly gaps: readonly Gap[];
  readonly heardAt: string;
}

/** The Pod and the runs of its containers on one time axis. A Pod in progress is drawn until the last data. */
export function PodTimelinePanel({ attempt, gaps, heardAt }: PodTimelinePanelProps) {
  const isOver = attempt.finishedAt !== undefined || attempt.deletedAt !== undefined;
  const timeline = useMemo(
    () => layOutPod(attempt, isOver ? [] : [millisOf(heardAt)]),
    [attempt, isOver ? "" : heardAt],
  );
  return (
    <Panel id="timeline" title="Timeline of its containers">
      <TimelineFigures
        timeline={timeline}
        marks={[]}
        bands={bandsOf(gaps)}
        noun="row"
        howToRead="The first row is the Pod; the table of containers below has the same data."
      />
    </Panel>
  );
}
