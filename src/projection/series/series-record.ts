import * as v from "valibot";
import { type PastRun, type PastRuns, TEMPLATE_BYTES } from "../../parents/series/past-run.ts";
import { InvalidRecordError, type RecordCodec, recordCodec } from "../../ports/records/record-codec.ts";

const packed = recordCodec<{ readonly runs: string }>("series", v.looseObject({ runs: v.string() }));

/** Kind `series`: the newest successful runs, the oldest first. A run takes 19 bytes, a record at most 2 kB. */
export const seriesRecord: RecordCodec<PastRuns> = {
  kind: "series",
  decode: (record) => {
    const bytes = Buffer.from(packed.decode(record).runs, "base64");
    if (bytes[0] === FORMAT && (bytes.length - 1) % RUN_BYTES === 0) return unpackRuns(bytes);
    throw new InvalidRecordError({ kind: "series", key: record.key }, "runs: unknown format, or damaged");
  },
  encode: (runs) => packed.encode({ runs: packRuns(runs).toString("base64") }),
};

/** The first byte of the runs. */
const FORMAT = 1;
/** Its id, its end, its length on the clock *whole*, and its time in suspension, in seconds; its template. */
const RUN_BYTES = 4 * 4 + TEMPLATE_BYTES;
const MOST_SECONDS = 0xffff_ffff;

function packRuns(runs: PastRuns): Buffer {
  const bytes = Buffer.alloc(1 + runs.length * RUN_BYTES, FORMAT);
  let at = 1;
  for (const { id, createdAt, endedAt, millis, template } of runs) {
    at = bytes.writeUInt32BE(id, at);
    for (const time of [endedAt, millis, endedAt - createdAt - millis]) at = bytes.writeUInt32BE(seconds(time), at);
    at = bytes.writeUIntBE(template, at, TEMPLATE_BYTES);
  }
  return bytes;
}

function seconds(millis: number): number {
  return Math.min(Math.max(0, Math.round(millis / 1000)), MOST_SECONDS);
}

function unpackRuns(bytes: Buffer): PastRuns {
  const runs: PastRun[] = [];
  for (let at = 1; at < bytes.length; at += RUN_BYTES) {
    const id = bytes.readUInt32BE(at);
    const endedAt = bytes.readUInt32BE(at + 4) * 1000;
    const millis = bytes.readUInt32BE(at + 8) * 1000;
    const suspended = bytes.readUInt32BE(at + 12) * 1000;
    const template = bytes.readUIntBE(at + 16, TEMPLATE_BYTES);
    runs.push({ id, createdAt: endedAt - millis - suspended, endedAt, millis, template });
  }
  return runs;
}
