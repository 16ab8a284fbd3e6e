import { useId, useState } from "preact/hooks";
import { axisMarks } from "./axis-scale.ts";
import { axisText, bucketText } from "./bucket.ts";
import { Bars, Lines } from "./chart-marks.tsx";
import type { Frame } from "./chart-frame.ts";
import { coverageText } from "./coverage.ts";
import { Patterns } from "./patterns.tsx";
import { markText, mostIn, type PictureData, valueText } from "./picture-data.ts";
import { useWidth } from "./use-width.ts";

const HEIGHT = 168;
const TOP = 8;
const LEFT = 48;
const AXIS = 26;
const LABELS = 28;
/** The least distance of the labels of the time axis. */
const LABEL = 58;

interface ChartProps {
  readonly data: PictureData;
  /** The text alternative. */
  readonly label: string;
  /** Opens the list of what a bucket shows. */
  readonly onOpen: (bucket: number) => void;
}

/** Bars or lines over hours or days. A pointer reads one of them; the table beside it is for the keyboard. */
export function Chart({ data, label, onOpen }: ChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const frame = frameOf(data, width);
  const bucketAt = ({ offsetX }: MouseEvent): number | undefined => {
    const index = Math.floor((offsetX - frame.left) / frame.step);
    return data.buckets[index] === undefined ? undefined : index;
  };
  return (
    <div class="chart" ref={box}>
      {width === 0 ? null : (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={HEIGHT}
          onPointerMove={(event) => setPointed(bucketAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          onClick={(event) => {
            const index = bucketAt(event);
            if (index !== undefined) onOpen(index);
          }}
        >
          <Drawing data={data} frame={frame} pointed={pointed} />
        </svg>
      )}
      <p class="readout small" aria-hidden="true">
        {pointed === undefined ? "" : bucketSentence(data, pointed)}
      </p>
    </div>
  );
}

function frameOf(data: PictureData, width: number): Frame {
  const marks = axisMarks(mostIn(data), data.measure);
  const right = data.series.length > 1 && data.form === "lines" ? LABELS : 4;
  const most = marks.at(-1) ?? 1;
  return {
    left: LEFT,
    right: width - right,
    top: TOP,
    bottom: HEIGHT - AXIS,
    step: Math.max(1, width - LEFT - right) / Math.max(1, data.buckets.length),
    marks,
    yOf: (value) => HEIGHT - AXIS - (value / most) * (HEIGHT - AXIS - TOP),
  };
}

interface DrawingProps {
  readonly data: PictureData;
  readonly frame: Frame;
  readonly pointed: number | undefined;
}

function Drawing({ data, frame, pointed }: DrawingProps) {
  const id = useId();
  const { left, top, bottom, step } = frame;
  return (
    <>
      <Patterns id={id} />
      <ValueAxis data={data} frame={frame} />
      <Unobserved data={data} frame={frame} hatch={`url(#${id}-hatch)`} />
      {pointed === undefined ? null : (
        <rect class="pointed" x={left + pointed * step} y={top} width={step} height={bottom - top} />
      )}
      <Reference data={data} frame={frame} />
      {data.form === "bars" ? <Bars data={data} frame={frame} id={id} /> : <Lines data={data} frame={frame} />}
      <TimeAxis data={data} frame={frame} />
    </>
  );
}

function ValueAxis({ data, frame }: Omit<DrawingProps, "pointed">) {
  return frame.marks.map((mark) => (
    <g key={mark}>
      <line
        class={mark === 0 ? "base" : "rule"}
        x1={frame.left}
        x2={frame.right}
        y1={frame.yOf(mark)}
        y2={frame.yOf(mark)}
      />
      <text class="tick" x={frame.left - 6} y={frame.yOf(mark) + 4} text-anchor="end">
        {markText(mark, data.measure)}
      </text>
    </g>
  ));
}

function TimeAxis({ data: { buckets, unit }, frame: { left, right, step, bottom } }: Omit<DrawingProps, "pointed">) {
  const every = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 56, 112].find((count) => count * step >= LABEL) ?? 224;
  // Counted from the end, so that the last complete one always has a label.
  return buckets.map(({ at }, index) =>
    (buckets.length - 1 - index) % every === 0 ? (
      <text
        key={at}
        class="tick"
        x={Math.min(left + (index + 0.5) * step, right - 14)}
        y={bottom + 20}
        text-anchor="middle"
      >
        {axisText(at, unit)}
      </text>
    ) : null,
  );
}

/** Hatches what was not observed. A part of a bucket is a mark below the axis: it says nothing about a height. */
function Unobserved({ data: { buckets }, frame, hatch }: Omit<DrawingProps, "pointed"> & { readonly hatch: string }) {
  const { left, top, bottom, step } = frame;
  return buckets.map(({ at, coverage: { kind } }, index) => {
    if (kind === "observed") return null;
    const [y, height] = kind === "unobserved" ? [top, bottom - top] : [bottom + 2, 5];
    const place = { x: left + index * step, y, width: step, height };
    return <rect key={at} class={`hatched ${kind}`} fill={hatch} {...place} />;
  });
}

/** Only where something was observed that can be compared. */
function Reference({ data: { reference, buckets }, frame: { left, step, yOf } }: Omit<DrawingProps, "pointed">) {
  if (reference === undefined) return null;
  const { from, to } = reference;
  const place = { y: yOf(to), width: step, height: Math.max(1.5, yOf(from) - yOf(to)) };
  return buckets.map(({ at, coverage }, index) =>
    coverage.kind === "unobserved" ? null : (
      <rect key={at} class={from === to ? "level" : "band"} x={left + index * step} {...place} />
    ),
  );
}

/** What a bucket shows, in one sentence. */
function bucketSentence({ buckets, unit, series, measure }: PictureData, index: number): string {
  const bucket = buckets[index];
  if (bucket === undefined) return "";
  const values = series.flatMap(({ name, values: all }) => {
    const value = all[index];
    return value === undefined || (value === 0 && series.length > 2) ? [] : [`${name} ${valueText(value, measure)}`];
  });
  const remarks = [coverageText(bucket.coverage), bucket.isCurrent ? "not over yet" : undefined];
  const parts = [...values, ...remarks.filter((remark) => remark !== undefined)];
  return `${bucketText(bucket.at, unit)} UTC: ${parts.length === 0 ? "no Jobs" : parts.join(", ")}`;
}
