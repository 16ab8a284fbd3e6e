import type { ClusterGap } from "../../src/query/clusters/gaps.ts";
import { axisTicks, tickText } from "../shell/axis-ticks.ts";
import { type Brush, Canvas } from "../shell/canvas.tsx";
import { now } from "../shell/clock.ts";
import { colourOf } from "../shell/colours.ts";
import { localText, millisOf } from "../text/instant-text.ts";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";

const ROW = 22;
const AXIS = 18;
const NAMES = 150;

interface GapsAxisProps {
  readonly gaps: readonly ClusterGap[];
  readonly clusters: readonly string[];
}

/** One row per cluster, from the first known gap to now, with the gaps marked. */
export function GapsAxis({ gaps, clusters }: GapsAxisProps) {
  const from = gaps.reduce((least, gap) => Math.min(least, millisOf(gap.from) ?? least), now.value) - 60_000;
  const to = now.value;
  const names = clusters.filter((name) => gaps.some(({ cluster }) => cluster === name));
  return (
    <Canvas
      label={axisText({ gaps, names, from, to })}
      heightFor={() => names.length * ROW + AXIS}
      draw={(brush) => draw(brush, { gaps, names, from, to })}
      of={[gaps, Math.floor(to / 60_000)]}
    />
  );
}

interface GapsDrawing {
  readonly gaps: readonly ClusterGap[];
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
}

function axisText({ gaps, names, from, to }: GapsDrawing): string {
  const subject = `${plural(gaps.length, "gap")} of ${names.map(shownText).join(", ")}`;
  return `${subject} from ${localText(from)} to ${localText(to)}. The table below lists each of them.`;
}

function draw({ context, width, height }: Brush, { gaps, names, from, to }: GapsDrawing): void {
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
  for (const [row, name] of names.entries()) {
    const top = row * ROW;
    context.fillStyle = colourOf("bar-complete");
    context.fillRect(left, top + ROW / 2 - 1, width - left - 8, 2);
    context.fillStyle = colourOf("quiet");
    if (left === NAMES) context.fillText(shownText(name), 2, top + ROW / 2, NAMES - 10);
    context.fillStyle = colourOf("bar-failed");
    for (const gap of gaps.filter(({ cluster }) => cluster === name)) {
      const [begin, end] = [x(millisOf(gap.from) ?? from), x(millisOf(gap.to) ?? to)];
      context.fillRect(begin, top + 4, Math.max(3, end - begin), ROW - 8);
    }
  }
}
