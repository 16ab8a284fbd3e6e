const DAY_AND_TIME = new Intl.DateTimeFormat("en-CA", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const ZONE = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" });

/** An instant in the reader's time zone: `2026-11-21 08:24:44`. */
export function localText(instant: number): string {
  return DAY_AND_TIME.format(instant).replace(",", "");
}

/** The time of day in the reader's time zone. */
export function localTime(instant: number): string {
  return localText(instant).slice(11);
}

export function localDay(instant: number): string {
  return localText(instant).slice(0, 10);
}

/** The reader's time zone at that instant: `GMT+1`. */
export function zoneText(instant: number): string {
  return ZONE.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

export function utcText(instant: number): string {
  return new Date(instant)
    .toISOString()
    .replace("T", " ")
    .replace(/(\.000)?Z$/, " UTC");
}

export function millisOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? undefined : millis;
}
