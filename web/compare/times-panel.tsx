import type { ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";
import { expectedText } from "../../src/explain/expectation/expected-text.ts";
import { Panel } from "../shell/panel.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { percentOf, type TimeBars, timeBars, type TimeRow, type Usual } from "./time-bars.ts";

/** Each clock as two bars on one scale. The same figures are in the text beside them. */
export function TimesPanel({ comparison }: { readonly comparison: ComparisonAnswer }) {
  const bars = timeBars(comparison);
  const usual = expectedText(comparison);
  const different = bars.rows.filter(({ differs }) => differs).length;
  return (
    <Panel
      id="times"
      title="Times"
      remark={different === 0 ? "No differences." : `${plural(different, "difference")}.`}
    >
      <dl class="time-bars inside">
        {bars.rows.map((row) => (
          <Clock key={row.field.kind} row={row} bars={bars} />
        ))}
      </dl>
      <div class="inside">
        <p class="quiet small">{usual === undefined ? "No usual time of the series is known." : shownText(usual)}</p>
        <Legend hasUsual={bars.usual !== undefined} />
      </div>
    </Panel>
  );
}

function Clock({ row, bars: { longest, usual } }: { readonly row: TimeRow; readonly bars: TimeBars }) {
  const { field, differs } = row;
  const ofClock = field.kind === "whole" ? usual : undefined;
  return (
    <>
      <dt>
        {field.title}
        {differs ? " ≠" : null}
        {differs ? <span class="only-read"> (differs)</span> : null}
      </dt>
      <dd>
        <Bar of="before" text={field.before.text} seconds={row.before} longest={longest} usual={ofClock} />
        <Bar of="after" text={field.after.text} seconds={row.after} longest={longest} usual={ofClock} />
      </dd>
    </>
  );
}

interface BarProps {
  readonly of: "before" | "after";
  readonly text: string;
  readonly seconds: number | undefined;
  readonly longest: number;
  readonly usual: Usual | undefined;
}

/** A time that is not known has no bar, only its text. */
function Bar({ of, text, seconds, longest, usual }: BarProps) {
  return (
    <div class="time-bar">
      <span class="quiet">{of === "before" ? "Before" : "After"}</span>
      <svg width="100%" height="14" aria-hidden="true">
        {usual === undefined ? null : <UsualBand usual={usual} longest={longest} />}
        {seconds === undefined ? null : (
          <rect class={`bar-${of}`} y="3" height="8" width={percentOf(seconds, longest)} rx="2" />
        )}
        {usual === undefined ? null : <UsualEnd usual={usual} longest={longest} />}
      </svg>
      {seconds === undefined ? <i class="quiet">{text}</i> : <span>{text}</span>}
    </div>
  );
}

/** From the median to the 90th percentile. */
function UsualBand({ usual: { p50, p90 }, longest }: { readonly usual: Usual; readonly longest: number }) {
  const width = percentOf(Math.max(0, p90 - p50), longest);
  return <rect class="usual-band" x={percentOf(p50, longest)} width={width} height="14" />;
}

function UsualEnd({ usual: { p90 }, longest }: { readonly usual: Usual; readonly longest: number }) {
  const x = percentOf(p90, longest);
  return <line class="usual-end" x1={x} x2={x} y1="0" y2="14" />;
}

function Legend({ hasUsual }: { readonly hasUsual: boolean }) {
  return (
    <p class="legend">
      <span>
        <i class="swatch bar-before-swatch" /> before
      </span>
      <span>
        <i class="swatch bar-after-swatch" /> after
      </span>
      {hasUsual ? (
        <span>
          <i class="swatch usual-swatch" /> usual whole time: median to 90th percentile
        </span>
      ) : null}
      <span>All bars have the same scale.</span>
    </p>
  );
}
