import type { Labels } from "../../ports/metric-store.ts";
import type { CollectedFamily, CollectedSeries } from "./collect-metrics.ts";
import type { MetricFamily } from "./metric-families.ts";

/** The two text formats of Prometheus. */
export type MetricFormat = "prometheus" | "openmetrics";

export const METRIC_MEDIA_TYPES: Readonly<Record<MetricFormat, string>> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** The format that a scraper prefers, by its header `Accept`. */
export function preferredFormat(accept: string): MetricFormat {
  const wanted = accept.split(",").map(readRange);
  const weightOf = (type: string) => Math.max(0, ...wanted.filter((one) => one.type === type).map(({ q }) => q));
  return weightOf("application/openmetrics-text") > weightOf("text/plain") ? "openmetrics" : "prometheus";
}

function readRange(range: string): { readonly type: string; readonly q: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
  return { type, q: Number.isFinite(weight) ? weight : 0 };
}

/** The text of these families. A family without series is left out. */
export function renderMetrics(families: readonly CollectedFamily[], format: MetricFormat): string {
  const lines = families.filter(({ series }) => series.length > 0).flatMap((one) => familyLines(one, format));
  return lines.map((line) => `${line}\n`).join("");
}

/** What a scrape returns: texts in this format, which have no family in common. */
export function exposition(texts: readonly string[], format: MetricFormat): string {
  return [...texts, ...(format === "openmetrics" ? ["# EOF\n"] : [])].join("");
}

function familyLines({ family, series }: CollectedFamily, format: MetricFormat): readonly string[] {
  const { name, type, help } = family;
  // In OpenMetrics, the name of a counter's family has no suffix.
  const declared = format === "openmetrics" && type === "counter" ? name.replace(/_total$/, "") : name;
  return [
    `# HELP ${declared} ${escapeHelp(help)}`,
    `# TYPE ${declared} ${type}`,
    ...series.flatMap((one) => (type === "histogram" ? histogramLines(family, one) : [numberLine(family, one)])),
  ];
}

function numberLine(family: MetricFamily, { labels, parts }: CollectedSeries): string {
  return `${family.name}${labelText(labels)} ${scaled(family, labels, parts.get(0))}`;
}

/** Buckets are stored singly, and shown as how many observations are at most their bound. */
function histogramLines(family: MetricFamily, { labels, parts }: CollectedSeries): readonly string[] {
  const { name, bounds = [] } = family;
  const lines: string[] = [];
  let count = 0;
  for (const [index, bound] of [...bounds, Infinity].entries()) {
    count += parts.get(index + 1) ?? 0;
    lines.push(`${name}_bucket${labelText({ ...labels, le: boundText(bound) })} ${count}`);
  }
  const own = labelText(labels);
  return [...lines, `${name}_sum${own} ${scaled(family, labels, parts.get(0))}`, `${name}_count${own} ${count}`];
}

/** OpenMetrics requires floats. The same text in both formats keeps one series. */
function boundText(bound: number): string {
  return bound === Infinity ? "+Inf" : `${bound}.0`;
}

function scaled({ divisor = 1, unitOf }: MetricFamily, labels: Labels, value = 0): string {
  return String(unitOf === undefined ? value / divisor : value * unitOf(labels));
}

function labelText(labels: Labels): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(",")}}`;
}

function escapeValue(text: string): string {
  return text.toWellFormed().replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
