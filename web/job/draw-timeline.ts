import type { Outcome } from "../../src/job/model/outcome.ts";
import { axisTicks, tickText } from "../shell/axis-ticks.ts";
import type { Brush } from "../shell/canvas.tsx";
import { colourOf } from "../shell/colours.ts";
import { shownText } from "../text/shown-text.ts";
import type { Bar, BarGroup } from "./timeline.ts";
import type { Band, Mark } from "./timeline-marks.ts";

/** What is drawn of one group. */
export interface Picture {
  readonly group: BarGroup;
  readonly from: number;
  readonly to: number;
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
}

export const AXIS_HEIGHT = 18;
const NAMED_LANE = 19;
const THICKEST = 12;
const TALLEST = 260;
const NAMES_WIDTH = 190;

/** A lane's height in pixels: named lanes hold a line of text, packed ones get thinner the more there are. */
export function laneHeight({ named, lanes }: BarGroup): number {
  return named ? NAMED_LANE : Math.max(2, Math.min(THICKEST, Math.floor(TALLEST / Math.max(1, lanes))));
}

/** Where the axis begins: names stand before it, where there is room for them. */
function leftEdge({ named }: BarGroup, width: number): number {
  return named && width > 560 ? NAMES_WIDTH : 4;
}

export function xOf({ from, to, group }: Picture, at: number, width: number): number {
  const left = leftEdge(group, width);
  return left + ((at - from) / (to - from)) * (width - left - 8);
}

export function drawTimeline(brush: Brush, picture: Picture): void {
  const { context } = brush;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  drawBands(brush, picture);
  drawAxis(brush, picture);
  drawMarks(brush, picture);
  const colours = barColours();
  for (const bar of picture.group.bars) drawBar(brush, picture, bar, colours);
  if (leftEdge(picture.group, brush.width) > NAMES_WIDTH - 1) drawNames(brush, picture);
}

function drawBands({ context, width, height }: Brush, picture: Picture): void {
  context.fillStyle = colourOf("gap");
  context.strokeStyle = colourOf("warn-line");
  for (const { from = picture.from, to = picture.to } of picture.bands) {
    const [left, right] = [
      xOf(picture, Math.max(from, picture.from), width),
      xOf(picture, Math.min(to, picture.to), width),
    ];
    if (right < left) continue;
    context.fillRect(left, 0, Math.max(2, right - left), height - AXIS_HEIGHT);
    context.strokeRect(left, 0, Math.max(2, right - left), height - AXIS_HEIGHT);
  }
}

function drawAxis({ context, width, height }: Brush, picture: Picture): void {
  context.strokeStyle = colourOf("line");
  context.fillStyle = colourOf("quiet");
  for (const at of axisTicks(picture.from, picture.to, (width - leftEdge(picture.group, width)) / 90)) {
    const x = Math.round(xOf(picture, at, width)) + 0.5;
    line(context, x, 0, x, height - AXIS_HEIGHT);
    context.fillText(tickText(at), Math.max(2, Math.min(x - 20, width - 52)), height - AXIS_HEIGHT / 2);
  }
}

function drawMarks({ context, width, height }: Brush, picture: Picture): void {
  context.save();
  context.setLineDash([3, 3]);
  for (const { at, kind } of picture.marks) {
    if (at < picture.from || at > picture.to) continue;
    context.strokeStyle = colourOf(kind === "node" ? "failed" : "strong-line");
    const x = Math.round(xOf(picture, at, width)) + 0.5;
    line(context, x, 0, x, height - AXIS_HEIGHT);
  }
  context.restore();
}

type BarColours = Readonly<Record<Outcome | "waiting" | "kept" | "deleted" | "restart", string>>;

function barColours(): BarColours {
  return {
    Succeeded: colourOf("bar-complete"),
    Failed: colourOf("bar-failed"),
    Active: colourOf("bar-running"),
    Terminating: colourOf("bar-terminating"),
    Unknown: colourOf("bar-unknown"),
    waiting: colourOf("strong-line"),
    kept: colourOf("line"),
    deleted: colourOf("text"),
    restart: colourOf("surface"),
  };
}

function drawBar(brush: Brush, picture: Picture, bar: Bar, colours: BarColours): void {
  const { context, width } = brush;
  const height = laneHeight(picture.group);
  const thick = height > 4 ? height - 3 : Math.max(1, height - 1);
  const top = bar.lane * height + (height - thick) / 2;
  const x = (at: number): number => xOf(picture, at, width);
  const until = bar.endedAt ?? bar.deletedAt ?? picture.to;
  const colour = colours[bar.attempt.outcome];
  drawThreads(context, bar, { x, until, middle: top + thick / 2 }, colours);
  const [from, to] = bar.startedAt === undefined ? [x(until) - 1, x(until)] : [x(bar.startedAt), x(until)];
  rectangle(context, colour, from, top, Math.max(3, to - from), thick);
  if (isOpen(bar)) drawGoesOn(context, colour, to, top, thick);
  for (const at of bar.restartedAt) rectangle(context, colours.restart, x(at), top, 1.5, thick);
  if (bar.deletedAt !== undefined && height >= 5) drawDeletion(context, colours.deleted, x(bar.deletedAt), top, thick);
}

function isOpen({ startedAt, endedAt, deletedAt }: Bar): boolean {
  return startedAt !== undefined && endedAt === undefined && deletedAt === undefined;
}

interface Threads {
  readonly x: (at: number) => number;
  readonly until: number;
  readonly middle: number;
}

/** Thin lines for the time before a Pod's first container ran, and the time that its object stayed after its end. */
function drawThreads(
  context: CanvasRenderingContext2D,
  { createdAt, startedAt, endedAt, deletedAt }: Bar,
  { x, until, middle }: Threads,
  colours: BarColours,
): void {
  rectangle(context, colours.waiting, x(createdAt), middle - 0.75, x(startedAt ?? until) - x(createdAt), 1.5);
  if (endedAt === undefined || deletedAt === undefined) return;
  rectangle(context, colours.kept, x(endedAt), middle - 0.75, x(deletedAt) - x(endedAt), 1.5);
}

/** A point at the right end: what is known of the Pod ends here, the Pod does not. */
function drawGoesOn(context: CanvasRenderingContext2D, colour: string, x: number, top: number, thick: number): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + 7, top + thick / 2);
  context.lineTo(x, top + thick);
  context.fill();
}

function drawDeletion(context: CanvasRenderingContext2D, colour: string, x: number, top: number, thick: number): void {
  const half = Math.min(3, thick / 3);
  const y = top + thick / 2;
  context.strokeStyle = colour;
  line(context, x - half, y - half, x + half, y + half);
  line(context, x - half, y + half, x + half, y - half);
}

function drawNames({ context }: Brush, { group }: Picture): void {
  context.fillStyle = colourOf("quiet");
  const height = laneHeight(group);
  for (const { attempt, lane } of group.bars) {
    context.fillText(shortName(context, shownText(attempt.name)), 2, lane * height + height / 2);
  }
}

/** The end of a Pod's name tells it from its siblings, so the beginning gives way. */
function shortName(context: CanvasRenderingContext2D, name: string): string {
  const room = NAMES_WIDTH - 12;
  if (context.measureText(name).width <= room) return name;
  let from = 1;
  while (from < name.length && context.measureText(`…${name.slice(from)}`).width > room) from += 1;
  return `…${name.slice(from)}`;
}

function rectangle(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  if (width <= 0) return;
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
