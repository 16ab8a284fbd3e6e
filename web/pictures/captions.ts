import type { CoveredBucket } from "./coverage.ts";
import { bucketText, type Unit } from "./bucket.ts";
import { comparable, type Series, valueText } from "./picture-data.ts";
import type { Measure } from "./axis-scale.ts";
import { medianOf, type Step, stepIn } from "./step.ts";

/** What a sentence about a picture needs. */
export interface Captioned {
  readonly unit: Unit;
  readonly buckets: readonly CoveredBucket[];
}

/** `Failures have risen from 2 to 9 a day since 21 Nov.`, if they did; otherwise empty. */
export function countStepText({ unit, buckets }: Captioned, what: string, values: Series["values"]): string {
  const step = stepIn(comparable(buckets, values), "count");
  const since = step && sinceText({ unit, buckets }, step);
  if (step === undefined || since === undefined) return "";
  return ` ${what} ${verb(step)} from ${rounded(step.before)} to ${rounded(step.after)} ${PER[unit]} since ${since}.`;
}

/** `The median has risen from 4m to 9m since 21 Nov.`, if it did; otherwise empty. */
export function levelStepText({ unit, buckets }: Captioned, what: string, values: Series["values"]): string {
  const step = stepIn(comparable(buckets, values), "level");
  const since = step && sinceText({ unit, buckets }, step);
  if (step === undefined || since === undefined) return "";
  const [before, after] = [step.before, step.after].map((value) => valueText(value, "seconds"));
  return ` ${what} ${verb(step)} from ${before} to ${after} since ${since}.`;
}

const PER: Readonly<Record<Unit, string>> = { hour: "an hour", day: "a day" };

function verb({ before, after }: Step): string {
  return after > before ? "risen" : "fallen";
}

function sinceText({ unit, buckets }: Captioned, { index }: Step): string | undefined {
  const bucket = buckets[index];
  return bucket && bucketText(bucket.at, unit);
}

/** One digit after the point below 10, so that 0.4 a day is not "0 a day". */
function rounded(value: number): string {
  return String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

/** The median of the values before the last one that can be compared, with at least three of them. */
export function usualLevel({ unit, buckets }: Captioned, values: Series["values"], measure: Measure) {
  const before = comparable(buckets, values)
    .filter((value) => value !== undefined)
    .slice(0, -1);
  const level = before.length < LEAST ? undefined : medianOf(before);
  if (level === undefined) return undefined;
  return { name: `median of the ${unit}s before: ${valueText(level, measure)}`, from: level, to: level };
}

const LEAST = 3;

/** The last bucket that is over and has a value. */
export function lastComparable({ buckets }: Captioned, values: Series["values"]): number | undefined {
  const index = comparable(buckets, values).findLastIndex((value) => value !== undefined);
  return index === -1 ? undefined : index;
}
