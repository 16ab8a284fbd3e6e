import { axisTicks, tickText } from "../../shell/axis-ticks.ts";
import type { Brush } from "../../shell/canvas.tsx";
import { colourOf } from "../../shell/colours.ts";
import { hatchRectangle, strokeVertical } from "../../shell/shapes.ts";
import { shownText } from "../../text/shown-text.ts";
import { drawBars } from "./draw-bars.ts";
import { AXIS_HEIGHT, hasNameColumn, laneHeight, leftEdge, NAMES_WIDTH, type Picture, xOf } from "./picture.ts";

export function drawTimeline(brush: Brush, picture: Picture): void {
  const { context } = brush;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  drawBands(brush, picture);
  drawAxis(brush, picture);
  drawMarks(brush, picture);
  drawBars(brush, picture);
  if (hasNameColumn(picture.group, brush.width)) drawNames(brush, picture);
}

function drawBands({ context, width, height }: Brush, picture: Picture): void {
  for (const { from = picture.from, to = picture.to } of picture.bands) {
    const left = xOf(picture, Math.max(from, picture.from), width);
    const right = xOf(picture, Math.min(to, picture.to), width);
    if (right < left) continue;
    const shape = { x: left, y: 0, width: Math.max(2, right - left), height: height - AXIS_HEIGHT };
    hatchRectangle(context, colourOf("warn-line"), shape);
  }
}

function drawAxis({ context, width, height }: Brush, picture: Picture): void {
  context.strokeStyle = colourOf("line");
  context.fillStyle = colourOf("quiet");
  for (const at of axisTicks(picture.from, picture.to, (width - leftEdge(picture.group, width)) / 90)) {
    const x = Math.round(xOf(picture, at, width)) + 0.5;
    strokeVertical(context, x, height - AXIS_HEIGHT);
    context.fillText(tickText(at), Math.max(2, Math.min(x - 20, width - 52)), height - AXIS_HEIGHT / 2);
  }
}

function drawMarks({ context, width, height }: Brush, picture: Picture): void {
  context.save();
  context.setLineDash([3, 3]);
  for (const { at, kind } of picture.marks) {
    if (at < picture.from || at > picture.to) continue;
    context.strokeStyle = colourOf(kind === "node" ? "failed" : "strong-line");
    strokeVertical(context, Math.round(xOf(picture, at, width)) + 0.5, height - AXIS_HEIGHT);
  }
  context.restore();
}

function drawNames({ context }: Brush, { group }: Picture): void {
  context.fillStyle = colourOf("quiet");
  const height = laneHeight(group);
  for (const { name, lane } of group.bars) {
    context.fillText(shortName(context, shownText(name)), 2, lane * height + height / 2);
  }
}

/** Shortens a name at its beginning: the names of a Job's Pods differ at their ends. */
function shortName(context: CanvasRenderingContext2D, name: string): string {
  const maxWidth = NAMES_WIDTH - 12;
  if (context.measureText(name).width <= maxWidth) return name;
  let from = 1;
  while (from < name.length && context.measureText(`…${name.slice(from)}`).width > maxWidth) from += 1;
  return `…${name.slice(from)}`;
}
