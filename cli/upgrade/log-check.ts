import { count, list } from "../../src/job/text/sentence.ts";
import { NEWEST_SCHEMA } from "../../src/segment/fact-list.ts";
import type { SegmentFormats } from "../../src/segment/segment-formats.ts";
import type { Check } from "../doctor/check.ts";

/** A check with the formats that it is about. */
export interface FormatCheck extends Check {
  /** The versions that were found. */
  readonly found?: readonly number[];
  /** All versions up to this one are read. */
  readonly readsUpTo?: number;
}

/** Whether this release reads the segments of a log, of which `sample` is a part. */
export function logCheck(sample: SegmentFormats, whole: string): FormatCheck {
  const { segments, schemas, newer, damaged } = sample;
  const formats = { check: "log", found: schemas, readsUpTo: NEWEST_SCHEMA };
  const [reason] = newer;
  if (reason !== undefined) {
    return { ...formats, result: "failed", detail: `Some segments are of a later release. ${reason}` };
  }
  if (damaged > 0) {
    const detail = `${count(damaged, "segment")} cannot be decoded. "outlive verify" names them.`;
    return { ...formats, result: "warning", detail };
  }
  if (segments === 0) return { ...formats, result: "ok", detail: "The log has no segments yet." };
  const found = `${schemas.length === 1 ? "Schema" : "Schemas"} ${list(schemas.map(String))}`;
  const detail =
    `${found} in ${segments} of ${whole}. This release reads schemas 1 to ${NEWEST_SCHEMA}, and writes each segment ` +
    "in the lowest schema that has its fields.";
  return { ...formats, result: "ok", detail };
}
