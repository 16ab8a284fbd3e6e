import { useMemo, useState } from "preact/hooks";
import type { Attempt } from "../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { Live } from "../ask/live.ts";
import type { ReadPages } from "../ask/read-pages.ts";
import { Canvas } from "../shell/canvas.tsx";
import { now } from "../shell/clock.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { localText, localTime, millisOf } from "../text/instant-text.ts";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { endOf, ranFor } from "./attempt-end.ts";
import { AXIS_HEIGHT, drawTimeline, laneHeight, type Picture, xOf } from "./draw-timeline.ts";
import type { OneJob } from "./one-job.ts";
import { Section } from "./section.tsx";
import { type Bar, layOutTimeline, MOST_NAMED } from "./timeline.ts";
import { type Band, bandsOf, type Mark, marksOf, markTexts } from "./timeline-marks.ts";
import { TimelineLegend } from "./timeline-legend.tsx";
import { who } from "./verdict-panel.tsx";

interface TimelinePanelProps {
  readonly job: OneJob;
  readonly pods: Live<ReadPages<Attempt>>;
  readonly why: Live<WhyAnswer>;
}

/** Every Pod there ever was on one axis of time, with the deletions, and what happened to Nodes and to the watching behind them. */
export function TimelinePanel({ job, pods, why }: TimelinePanelProps) {
  return (
    <Section id="timeline" title="Timeline of all Pods" remark={plural(job.pods.seen, "Pod")}>
      <WithAnswer live={pods} what="the Pods">
        {({ items }) =>
          items.length === 0 ? (
            <p class="inside quiet">There is nothing to draw: no Pod of this Job was ever seen.</p>
          ) : (
            <Drawn
              job={job}
              attempts={items}
              marks={marksOf(job, why.phase === "answered" ? why.answer : undefined)}
              bands={bandsOf(job.completeness.gaps)}
            />
          )
        }
      </WithAnswer>
    </Section>
  );
}

interface DrawnProps {
  readonly job: OneJob;
  readonly attempts: readonly Attempt[];
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
}

function Drawn({ job, attempts, marks, bands }: DrawnProps) {
  const [pointed, setPointed] = useState<Bar | undefined>(undefined);
  const timeline = useMemo(
    () => layOutTimeline(attempts, [...ends(job, attempts), ...marks.map(({ at }) => at)]),
    [attempts, job.finishedAt, marks.length],
  );
  const { from, to, groups } = timeline;
  return (
    <div class="inside">
      {groups.map((group) => {
        const picture: Picture = { group, from, to, marks, bands };
        return (
          <figure key={group.title}>
            {group.named ? null : (
              <figcaption>
                <strong>{group.title}</strong> <span class="quiet">{plural(group.bars.length, "Pod")}</span>
              </figcaption>
            )}
            <Canvas
              label={describe(picture)}
              heightFor={() => group.lanes * laneHeight(group) + AXIS_HEIGHT}
              draw={(brush) => drawTimeline(brush, picture)}
              of={[timeline, marks.length, bands.length]}
              onPoint={(point) => setPointed(point && barAt(picture, point))}
            />
          </figure>
        );
      })}
      <TimelineLegend attempts={attempts} gaps={bands.length > 0} />
      <p class="hovered quiet">{pointed === undefined ? HOW_TO_READ : describeBar(pointed)}</p>
      {marks.length + bands.length > 0 ? (
        <ul class="pods-named" aria-label="Behind the Pods">
          {markTexts(marks).map((text) => (
            <li key={text} class="tag">
              <bdi>{shownText(text)}</bdi>
            </li>
          ))}
          {bands.map((band) => (
            <li key={`${band.from} ${band.text}`} class="tag warn">
              {spanOf(band)} {shownText(band.text)}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const HOW_TO_READ = `Point at a bar to read it; the table of Pods below says the same. Up to ${MOST_NAMED} Pods have a row each, more are packed by what they came to.`;

function spanOf({ from, to }: Band): string {
  return `${from === undefined ? "" : localTime(from)}–${to === undefined ? "" : localTime(to)}`;
}

/** The axis reaches to the Job's end, and to now while a Pod is open and that does not squeeze the rest into a corner. */
function ends(job: OneJob, attempts: readonly Attempt[]): readonly (number | undefined)[] {
  const first = millisOf(attempts[0]?.createdAt) ?? 0;
  const last = Math.max(
    ...attempts.map((attempt) => millisOf(attempt.finishedAt ?? attempt.startedAt ?? attempt.createdAt) ?? 0),
  );
  const open = job.verdict.final ? undefined : now.peek();
  const near = open !== undefined && open - first < 4 * (last - first + 60_000);
  return [millisOf(job.finishedAt), millisOf(job.asOf.time) !== undefined && near ? open : undefined];
}

function describe({ group, from, to }: Picture): string {
  const outcomes = Map.groupBy(group.bars, ({ attempt }) => attempt.outcome);
  const came = [...outcomes].map(([outcome, bars]) => `${bars.length} ${outcome}`).join(", ");
  const deleted = group.bars.filter(({ deletedAt }) => deletedAt !== undefined).length;
  const gone = deleted === 0 ? "" : `; ${deleted} deleted`;
  return `${plural(group.bars.length, "Pod")} from ${localText(from)} to ${localText(to)}: ${came}${gone}. The table of Pods has each of them.`;
}

function barAt(
  picture: Picture,
  point: { readonly x: number; readonly y: number; readonly width: number },
): Bar | undefined {
  const lane = Math.floor(point.y / laneHeight(picture.group));
  return picture.group.bars.find((bar) => {
    if (bar.lane !== lane) return false;
    const until = bar.deletedAt ?? bar.endedAt ?? picture.to;
    return point.x >= xOf(picture, bar.createdAt, point.width) - 2 && point.x <= xOf(picture, until, point.width) + 4;
  });
}

function describeBar({ attempt, createdAt, deletedAt }: Bar): string {
  const end = endOf(attempt);
  const parts = [
    `${shownText(attempt.name)}: ${attempt.outcome}${end === "" ? "" : ` (${end})`}`,
    `created ${localTime(createdAt)}, ran ${ranFor(attempt)}${attempt.node === undefined ? "" : ` on ${shownText(attempt.node)}`}`,
    attempt.restarts > 0 ? plural(attempt.restarts, "restart") : undefined,
    deletedAt === undefined ? undefined : deletionText(attempt, deletedAt),
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}

function deletionText({ deletedBy }: Attempt, deletedAt: number): string {
  if (deletedBy === undefined) return `deleted ${localTime(deletedAt)}, nobody knows by whom`;
  return `deleted ${localTime(deletedAt)} by ${who(deletedBy)}: ${shownText(deletedBy.cause)}`;
}
