import { InvalidArgumentError, Option } from "commander";
import { STANDARD_MAX_SERIES } from "../../src/ports/deployment/limits.ts";

/** The same bound for every process that writes to a database: serve and import. */
export function maxSeriesOption(): Option {
  return new Option(
    "--metrics-max-series <number>",
    'label sets of metrics, of which a histogram exposes up to 17 series each; the rest is summed under owner="other"',
  )
    .env("OUTLIVE_METRICS_MAX_SERIES")
    .argParser(readMaxSeries)
    .default(STANDARD_MAX_SERIES);
}

function readMaxSeries(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1 to 9999999.");
}
