/** A rectangle on a canvas, in CSS pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills a rectangle; one without width is not drawn. */
export function fillRectangle(context: CanvasRenderingContext2D, colour: string, shape: Rectangle): void {
  if (shape.width <= 0) return;
  context.fillStyle = colour;
  context.fillRect(shape.x, shape.y, shape.width, shape.height);
}

/** Distance of the lines of a hatching. */
const HATCH = 6;

/** Fills a rectangle with diagonal lines: nothing was observed there. */
export function hatchRectangle(context: CanvasRenderingContext2D, colour: string, shape: Rectangle): void {
  const { x, y, width, height } = shape;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let from = x - height; from < x + width; from += HATCH) {
    context.moveTo(from, y + height);
    context.lineTo(from + height, y);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = colour;
  context.strokeRect(x, y, width, height);
}

/** Draws the diagonals of a rectangle in the current stroke style. */
export function strokeCross(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + width, y + height);
  context.moveTo(x + width, y);
  context.lineTo(x, y + height);
  context.stroke();
}

/** Draws a vertical line from the top of the canvas in the current stroke style. */
export function strokeVertical(context: CanvasRenderingContext2D, x: number, height: number): void {
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}
