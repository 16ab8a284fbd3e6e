import { useState } from "preact/hooks";
import { Canvas } from "../../shell/canvas.tsx";
import { localTime } from "../../text/instant-text.ts";
import { plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import { drawTimeline } from "./draw-timeline.ts";
import { AXIS_HEIGHT, laneHeight, type Picture, pictureText, xOf } from "./picture.ts";
import type { Bar, Timeline } from "./timeline.ts";
import { TimelineLegend } from "./timeline-legend.tsx";
import { type Band, type Mark, markTexts } from "./timeline-marks.ts";

interface TimelineFiguresProps {
  readonly timeline: Timeline;
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
  /** What a bar is: "Pod". */
  readonly noun: string;
  readonly howToRead: string;
  /** The page of a bar, which a click opens. */
  readonly hrefOf?: (uid: string) => string | undefined;
}

/** A timeline, what its colours mean, and what is behind its bars. */
export function TimelineFigures({ timeline, marks, bands, noun, howToRead, hrefOf }: TimelineFiguresProps) {
  const [pointed, setPointed] = useState<Bar | undefined>(undefined);
  const open = ({ uid }: Bar): void => {
    const href = hrefOf?.(uid);
    if (href !== undefined) location.hash = href;
  };
  const { from, to, groups } = timeline;
  return (
    <div class="inside">
      {groups.map((group) => (
        <GroupFigure
          key={group.title}
          timeline={timeline}
          picture={{ group, from, to, marks, bands }}
          noun={noun}
          onPoint={setPointed}
          onOpen={open}
        />
      ))}
      <TimelineLegend bars={groups.flatMap(({ bars }) => bars)} gaps={bands.length > 0} />
      <p class="hovered quiet">{pointed === undefined ? howToRead : pointed.describe()}</p>
      {marks.length + bands.length > 0 ? <Background marks={marks} bands={bands} /> : null}
    </div>
  );
}

interface GroupFigureProps {
  readonly timeline: Timeline;
  readonly picture: Picture;
  readonly noun: string;
  readonly onPoint: (bar: Bar | undefined) => void;
  readonly onOpen: (bar: Bar) => void;
}

function GroupFigure({ timeline, picture, noun, onPoint, onOpen }: GroupFigureProps) {
  const { group, marks, bands } = picture;
  return (
    <figure>
      {group.title === "" ? null : (
        <figcaption>
          <strong>{group.title}</strong> <span class="quiet">{plural(group.bars.length, noun)}</span>
        </figcaption>
      )}
      <Canvas
        label={pictureText(picture, noun)}
        heightFor={() => group.lanes * laneHeight(group) + AXIS_HEIGHT}
        draw={(brush) => drawTimeline(brush, picture)}
        of={[timeline, marks.length, bands.length]}
        onPoint={(point) => onPoint(point && barAt(picture, point))}
        onClick={(point) => {
          const bar = barAt(picture, point);
          if (bar !== undefined) onOpen(bar);
        }}
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
