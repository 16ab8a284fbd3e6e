import { now } from "../shell/clock.ts";
import { localText, localTime, millisOf, utcText, zoneText } from "./instant-text.ts";
import { spanText } from "./span-text.ts";

/** A time in the reader's time zone, with UTC as tooltip. */
export function Moment({ at, form = "full" }: { readonly at: string | undefined; readonly form?: "full" | "time" }) {
  const instant = millisOf(at);
  if (instant === undefined) return <span class="quiet">&ndash;</span>;
  return (
    <time dateTime={new Date(instant).toISOString()} title={`${utcText(instant)} (shown in ${zoneText(instant)})`}>
      {form === "full" ? localText(instant) : localTime(instant)}
    </time>
  );
}

/** How long ago something was, with the time as tooltip. */
export function Age({ at }: { readonly at: string | undefined }) {
  const instant = millisOf(at);
  if (instant === undefined) return <span class="quiet">&ndash;</span>;
  return (
    <time
      dateTime={new Date(instant).toISOString()}
      title={`${localText(instant)} ${zoneText(instant)}, ${utcText(instant)}`}
    >
      {spanText(now.value - instant)}
    </time>
  );
}
