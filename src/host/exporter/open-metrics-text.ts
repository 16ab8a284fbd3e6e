/**
 * The text format of Prometheus as OpenMetrics 1.0: the family of a counter is declared without its suffix `_total`,
 * there are no empty lines, and the text has an end. `prom-client` can write OpenMetrics itself, but then renames the
 * counters for all later scrapes.
 */
export function openMetricsText(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const counters = new Set(lines.flatMap((line) => COUNTER.exec(line)?.[1] ?? []));
  const declared = lines.map((line) => {
    const name = DECLARATION.exec(line)?.[1];
    return name !== undefined && counters.has(name) ? line.replace(`${name}_total `, `${name} `) : line;
  });
  return `${[...declared, "# EOF"].join("\n")}\n`;
}

const COUNTER = /^# TYPE (\S+)_total counter$/;
const DECLARATION = /^# (?:HELP|TYPE) (\S+)_total /;
