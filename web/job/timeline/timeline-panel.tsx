import { useMemo, useState } from "preact/hooks";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../../src/query/job/explain-job.ts";
import type { Live } from "../../api/live.ts";
import type { ReadPages } from "../../api/read-pages.ts";
import { Canvas } from "../../shell/canvas.tsx";
import { now } from "../../shell/clock.ts";
import { WithLive } from "../../shell/with-live.tsx";
import { localTime, millisOf } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";
import { Section } from "../section.tsx";
import { barText, pictureText } from "./bar-text.ts";
import { drawTimeline } from "./draw-timeline.ts";
import { AXIS_HEIGHT, laneHeight, type Picture, xOf } from "./picture.ts";
import { type Bar, layOutTimeline, MAX_NAMED, type Timeline } from "./timeline.ts";
import { type Band, bandsOf, type Mark, marksOf, markTexts, silenceBefore } from "./timeline-marks.ts";
import { TimelineLegend } from "./timeline-legend.tsx";

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
            <TimelineFigures
              job={job}
              attempts={items}
              marks={marksOf(job, why.phase === "answered" ? why.answer : undefined)}
              bands={bandsOf(job.completeness.gaps)}
            />
          )
        }
      </WithLive>
    </Section>
  );
}

interface TimelineFiguresProps {
  readonly job: JobWithGenerations;
  readonly attempts: readonly Attempt[];
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
}

function TimelineFigures({ job, attempts, marks, bands }: TimelineFiguresProps) {
  const [pointed, setPointed] = useState<Bar | undefined>(undefined);
  const timeline = useMemo(
    () => layOutTimeline(attempts, [...axisEnds(job, attempts), ...marks.map(({ at }) => at)]),
    [attempts, job.finishedAt, marks.length],
  );
  const { from, to, groups } = timeline;
  const silence = job.verdict.final ? [] : silenceBefore(to, millisOf(job.asOf.time));
  const unobserved = [...bands, ...silence];
  return (
    <div class="inside">
      {groups.map((group) => (
        <GroupFigure
          key={group.title}
          timeline={timeline}
          picture={{ group, from, to, marks, bands: unobserved }}
          onPoint={setPointed}
        />
      ))}
      <TimelineLegend attempts={attempts} gaps={unobserved.length > 0} />
      <p class="hovered quiet">{pointed === undefined ? HOW_TO_READ : barText(pointed)}</p>
      {marks.length + unobserved.length > 0 ? <Background marks={marks} bands={unobserved} /> : null}
    </div>
  );
}

const HOW_TO_READ =
  "Point at a bar for details; the table of Pods below has the same data. " +
  `Up to ${MAX_NAMED} Pods have a row each; more are grouped by outcome.`;

interface GroupFigureProps {
  readonly timeline: Timeline;
  readonly picture: Picture;
  readonly onPoint: (bar: Bar | undefined) => void;
}

function GroupFigure({ timeline, picture, onPoint }: GroupFigureProps) {
  const { group, marks, bands } = picture;
  return (
    <figure>
      {group.named ? null : (
        <figcaption>
          <strong>{group.title}</strong> <span class="quiet">{plural(group.bars.length, "Pod")}</span>
        </figcaption>
      )}
      <Canvas
        label={pictureText(picture)}
        heightFor={() => group.lanes * laneHeight(group) + AXIS_HEIGHT}
        draw={(brush) => drawTimeline(brush, picture)}
        of={[timeline, marks.length, bands.length]}
        onPoint={(point) => onPoint(point && barAt(picture, point))}
      />
    </figure>
  );
}

/** The marks and gaps behind the Pods, as text. */
function Background({ marks, bands }: { readonly marks: readonly Mark[]; readonly bands: readonly Band[] }) {
  return (
    <ul class="pods-named" aria-label="Events and monitoring gaps">
      {markTexts(marks).map((text) => (
        <li key={text} class="tag">
          <bdi>{shownText(text)}</bdi>
        </li>
      ))}
      {bands.map((band) => (
        <li key={`${band.from} ${band.text}`} class="tag warn">
          {bandSpan(band)} {shownText(band.text)}
        </li>
      ))}
    </ul>
  );
}

function bandSpan({ from, to }: Band): string {
  return `${from === undefined ? "start" : localTime(from)}–${to === undefined ? "now" : localTime(to)}`;
}

/** The axis ends at the Job's end. While a Pod is open, it ends now if that leaves enough room for the rest. */
function axisEnds(job: JobWithGenerations, attempts: readonly Attempt[]): readonly (number | undefined)[] {
  const first = millisOf(attempts[0]?.createdAt) ?? 0;
  const last = Math.max(
    ...attempts.map((attempt) => millisOf(attempt.finishedAt ?? attempt.startedAt ?? attempt.createdAt) ?? 0),
  );
  const open = job.verdict.final ? undefined : now.peek();
  const isNear = open !== undefined && open - first < 4 * (last - first + 60_000);
  return [millisOf(job.finishedAt), millisOf(job.asOf.time) !== undefined && isNear ? open : undefined];
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function barAt(picture: Picture, { x, y, width }: Point): Bar | undefined {
  const lane = Math.floor(y / laneHeight(picture.group));
  return picture.group.bars.find((bar) => {
    if (bar.lane !== lane) return false;
    const until = bar.deletedAt ?? bar.endedAt ?? picture.to;
    return x >= xOf(picture, bar.createdAt, width) - 2 && x <= xOf(picture, until, width) + 4;
  });
}
