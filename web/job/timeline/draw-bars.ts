import type { Outcome } from "../../../src/job/model/outcome.ts";
import type { Brush } from "../../shell/canvas.tsx";
import { colourOf } from "../../shell/colours.ts";
import { fillRectangle, strokeCross } from "../../shell/shapes.ts";
import { laneHeight, type Picture, xOf } from "./picture.ts";
import type { Bar } from "./timeline.ts";
import { type Band, piecesOf } from "./timeline-marks.ts";

/** Draws the bar of each Pod of a group. */
export function drawBars({ context, width }: Brush, picture: Picture): void {
  const colours = barColours();
  const laneTall = laneHeight(picture.group);
  const thickness = laneTall > 4 ? laneTall - 3 : Math.max(1, laneTall - 1);
  for (const bar of picture.group.bars) {
    drawBar(bar, {
      context,
      colours,
      thickness,
      top: bar.lane * laneTall + (laneTall - thickness) / 2,
      x: (at) => xOf(picture, at, width),
      until: bar.endedAt ?? bar.deletedAt ?? picture.to,
      bands: picture.bands,
      hasDeletionMark: laneTall >= 5,
    });
  }
}

/** How one bar is drawn. */
interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly colours: BarColours;
  readonly x: (at: number) => number;
  readonly top: number;
  readonly thickness: number;
  /** The Pod's end, or the end of the axis. */
  readonly until: number;
  readonly bands: readonly Band[];
  readonly hasDeletionMark: boolean;
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

function drawBar(bar: Bar, drawing: Drawing): void {
  const { context, colours, x, top, thickness, until } = drawing;
  const colour = colours[bar.outcome];
  drawThreads(bar, drawing);
  const end = x(until);
  drawRun(bar, colour, drawing);
  if (isOpen(bar) && drawing.bands.every((band) => (band.to ?? until) < until)) drawOpenEnd(end, colour, drawing);
  for (const at of bar.restartedAt) {
    fillRectangle(context, colours.restart, { x: x(at), y: top, width: 1.5, height: thickness });
  }
  if (bar.deletedAt !== undefined && drawing.hasDeletionMark) drawDeletion(x(bar.deletedAt), drawing);
}

/** The time in which containers ran. What was not observed is a dashed line. */
function drawRun({ startedAt }: Bar, colour: string, drawing: Drawing): void {
  const { context, x, top, thickness, until, bands } = drawing;
  const end = x(until);
  const isShort = startedAt === undefined || end - x(startedAt) < 3;
  if (isShort) {
    const start = startedAt === undefined ? end - 1 : x(startedAt);
    return fillRectangle(context, colour, { x: start, y: top, width: 3, height: thickness });
  }
  for (const piece of piecesOf({ from: startedAt, to: until }, bands)) {
    const [from, width] = [x(piece.from), x(piece.to) - x(piece.from)];
    if (piece.isObserved) fillRectangle(context, colour, { x: from, y: top, width, height: thickness });
    else drawUnobserved(colour, { from, to: from + width, y: top + thickness / 2 }, context);
  }
}

interface Thread {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

function drawUnobserved(colour: string, { from, to, y }: Thread, context: CanvasRenderingContext2D): void {
  context.save();
  context.strokeStyle = colour;
  context.setLineDash([2, 4]);
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  context.stroke();
  context.restore();
}

function isOpen({ startedAt, endedAt, deletedAt }: Bar): boolean {
  return startedAt !== undefined && endedAt === undefined && deletedAt === undefined;
}

/** Thin lines before the first container started, and from the Pod's end to its deletion. */
function drawThreads({ createdAt, startedAt, endedAt, deletedAt }: Bar, drawing: Drawing): void {
  const { context, colours, x, top, thickness, until } = drawing;
  const thread = (colour: string, from: number, to: number): void =>
    fillRectangle(context, colour, { x: x(from), y: top + thickness / 2 - 0.75, width: x(to) - x(from), height: 1.5 });
  thread(colours.waiting, createdAt, startedAt ?? until);
  if (endedAt !== undefined && deletedAt !== undefined) thread(colours.kept, endedAt, deletedAt);
}

/** An arrow at the right end: the Pod continues beyond what is known. */
function drawOpenEnd(x: number, colour: string, { context, top, thickness }: Drawing): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + 7, top + thickness / 2);
  context.lineTo(x, top + thickness);
  context.fill();
}

function drawDeletion(x: number, { context, colours, top, thickness }: Drawing): void {
  const half = Math.min(3, thickness / 3);
  context.strokeStyle = colours.deleted;
  strokeCross(context, { x: x - half, y: top + thickness / 2 - half, width: 2 * half, height: 2 * half });
}
