import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { parseTimeSpan, TIME_SPAN_FORM } from "../../src/job/text/time-span.ts";

/** Milliseconds of a time span on the command line. `0` needs no unit. Throws CommandFailure. */
export function readSpan(text: string): number {
  const span = text === "0" ? 0 : parseTimeSpan(text);
  if (span !== undefined) return span;
  throw new CommandFailure(2, `"${text}" is not a time span. ${TIME_SPAN_FORM}`);
}
