import { useMemo } from "preact/hooks";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../../src/query/job/explain-job.ts";
import type { Live } from "../../api/live.ts";
import type { ReadPages } from "../../api/read-pages.ts";
import { now } from "../../shell/clock.ts";
import { linkToPod } from "../../shell/route.ts";
import { WithLive } from "../../shell/with-live.tsx";
import { millisOf } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";
import { Section } from "../section.tsx";
import { layOutTimeline, MAX_NAMED } from "./timeline.ts";
import { TimelineFigures } from "./timeline-figures.tsx";
import { axisEnds } from "./axis-ends.ts";
import { bandsOf, marksOf, silenceBefore } from "./timeline-marks.ts";

interface TimelinePanelProps {
  readonly job: JobWithGenerations;
  readonly pods: Live<ReadPages<Attempt>>;
  readonly why: Live<WhyAnswer>;
}

/** All Pods on one time axis, with deletions, events of Nodes, and monitoring gaps. */
export function TimelinePanel({ job, pods, why }: TimelinePanelProps) {
  return (
    <Section id="timeline" title="Timeline of all Pods" remark={plural(job.pods.seen, "Pod")}>
      <WithLive live={pods} what="the Pods">
        {({ items }) =>
          items.length === 0 ? (
            <p class="inside quiet">No Pods of this Job were observed.</p>
          ) : (
            <PodFigures job={job} attempts={items} why={why.phase === "answered" ? why.answer : undefined} />
          )
        }
      </WithLive>
    </Section>
  );
}

interface PodFiguresProps {
  readonly job: JobWithGenerations;
  readonly attempts: readonly Attempt[];
  readonly why: WhyAnswer | undefined;
}

function PodFigures({ job, attempts, why }: PodFiguresProps) {
  const marks = marksOf(job, why);
  const timeline = useMemo(
    () => layOutTimeline(attempts, (bars) => [...axisEnds(job, bars, now.peek()), ...marks.map(({ at }) => at)]),
    [attempts, job.finishedAt, marks.length],
  );
  const silence = job.verdict.final ? [] : silenceBefore(timeline.to, millisOf(job.asOf.time));
  const bands = [...bandsOf(job.completeness.gaps), ...silence];
  const hrefOf = (uid: string): string => linkToPod({ ...job, job: job.name, jobUid: job.uid, uid });
  return (
    <TimelineFigures
      timeline={timeline}
      marks={marks}
      bands={bands}
      noun="Pod"
      howToRead={HOW_TO_READ}
      hrefOf={hrefOf}
    />
  );
}

const HOW_TO_READ =
  "Point at a bar for details, click to open its Pod; the table of Pods has the same data. " +
  `Up to ${MAX_NAMED} Pods have a row each; more are grouped by outcome.`;
