import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { axisTicks, tickText } from "../shell/axis-ticks.ts";
import { type Brush, Canvas } from "../shell/canvas.tsx";
import { now } from "../shell/clock.ts";
import { colourOf } from "../shell/colours.ts";
import { hatchRectangle } from "../shell/shapes.ts";
import { localText, millisOf } from "../text/instant-text.ts";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { type Stretch, watchedStretches } from "./watched-stretches.ts";

const ROW = 22;
const AXIS = 18;
const NAMES = 150;

interface GapsAxisProps {
  readonly gaps: readonly ClusterGap[];
  readonly clusters: readonly ClusterAnswer[];
}

/** One row per cluster, from the first known gap to now. A line is drawn only while the cluster was watched. */
export function GapsAxis({ gaps, clusters }: GapsAxisProps) {
  const from = gaps.reduce((least, gap) => Math.min(least, millisOf(gap.from) ?? least), now.value) - 60_000;
  const to = now.value;
  const rows = clusters
    .map((cluster) => ({ name: cluster.name, stretches: watchedStretches(cluster, gaps, { from, to }) }))
    .filter(({ stretches }) => stretches.length > 0);
  const drawing = { gaps: gaps.length, rows, from, to };
  return (
    <>
      <Canvas
        label={axisText(drawing)}
        heightFor={() => rows.length * ROW + AXIS}
        draw={(brush) => draw(brush, drawing)}
        of={[gaps, clusters, Math.floor(to / 60_000)]}
      />
      <div class="legend">
        <span>
          <span class="swatch b-watched" /> watched
        </span>
        <span>
          <span class="swatch b-gap" /> monitoring gap
        </span>
        <span>
          <span class="swatch b-silent" /> silent: no data since
        </span>
      </div>
    </>
  );
}

interface GapsDrawing {
  readonly gaps: number;
  readonly rows: readonly { readonly name: string; readonly stretches: readonly Stretch[] }[];
  readonly from: number;
  readonly to: number;
}

function axisText({ gaps, rows, from, to }: GapsDrawing): string {
  const withGaps = rows.filter(({ stretches }) => stretches.some(({ kind }) => kind === "gap"));
  const subject = `${plural(gaps, "gap")} of ${withGaps.map(({ name }) => shownText(name)).join(", ")}`;
  const silent = rows.flatMap(({ name, stretches }) =>
    stretches.flatMap((one) =>
      one.kind === "silent" ? [` ${shownText(name)} silent since ${localText(one.from)}.`] : [],
    ),
  );
  const span = `from ${localText(from)} to ${localText(to)}`;
  return `${subject} ${span}.${silent.join("")} The table below lists each gap.`;
}

function draw({ context, width, height }: Brush, { rows, from, to }: GapsDrawing): void {
  const left = width > 480 ? NAMES : 4;
  const x = (at: number): number => left + ((at - from) / (to - from)) * (width - left - 8);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const at of axisTicks(from, to, (width - left) / 90)) {
    context.fillStyle = colourOf("line");
    context.fillRect(Math.round(x(at)), 0, 1, height - AXIS);
    context.fillStyle = colourOf("quiet");
    context.fillText(tickText(at), x(at) - 20, height - AXIS / 2);
  }
  for (const [row, { name, stretches }] of rows.entries()) {
    context.fillStyle = colourOf("quiet");
    if (left === NAMES) context.fillText(shownText(name), 2, row * ROW + ROW / 2, NAMES - 10);
    for (const stretch of stretches) {
      drawStretch(context, stretch, { from: x(stretch.from), to: x(stretch.to), top: row * ROW });
    }
  }
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly top: number;
}

function drawStretch(context: CanvasRenderingContext2D, { kind }: Stretch, { from, to, top }: Place): void {
  if (kind === "watched") {
    context.fillStyle = colourOf("bar-complete");
    context.fillRect(from, top + ROW / 2 - 1, to - from, 2);
    return;
  }
  const colour = colourOf(kind === "gap" ? "warn" : "bar-failed");
  hatchRectangle(context, colour, { x: from, y: top + 4, width: Math.max(3, to - from), height: ROW - 8 });
}
