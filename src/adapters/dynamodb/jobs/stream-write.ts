import type { EncodedJobState } from "../../../ports/job-row.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import type { StreamedWrite } from "../../../ports/streams/streamed-write.ts";
import { bytes, type Item, number, text } from "../attribute.ts";
import { keyOfState, toStoredJob } from "./job-item.ts";

/** An attribute in a record of a stream: bytes are base64 text, unlike in the SDK. */
interface ImageAttribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
}

type Image = Readonly<Record<string, ImageAttribute>>;

/** A record of the stream of a table of Jobs, with both images. */
export interface StreamRecord {
  readonly Keys?: Image | undefined;
  readonly SequenceNumber?: string | undefined;
  /** In seconds since 1970. */
  readonly ApproximateCreationDateTime?: number | undefined;
  readonly OldImage?: Image | undefined;
  readonly NewImage?: Image | undefined;
}

/** The write of a Job's state; `undefined` for a page of a large Job, and for records of the table itself. */
export function toStreamedWrite(record: StreamRecord): StreamedWrite | undefined {
  const { Keys, SequenceNumber: position, ApproximateCreationDateTime = 0, OldImage, NewImage } = record;
  const job = keyOf(Keys);
  if (job === undefined || position === undefined) return undefined;
  return {
    key: job,
    position,
    at: ApproximateCreationDateTime * 1_000,
    ...(OldImage !== undefined && { before: toState(OldImage) }),
    ...(NewImage !== undefined && { after: toState(NewImage) }),
  };
}

function keyOf({ pk, sk }: Image = {}): JobKey | undefined {
  return sk?.S === "S" ? keyOfState(pk?.S ?? "") : undefined;
}

function toState(image: Image): EncodedJobState {
  const { bytes: state, row } = toStoredJob(toItem(image));
  return { bytes: state, ...(row !== undefined && { row }) };
}

/** Bytes are base64 text in the JSON of a stream. */
function toItem(image: Image): Item {
  return Object.fromEntries(
    Object.entries(image).map(([name, { S, N, B }]) => {
      if (B !== undefined) return [name, bytes(Buffer.from(B, "base64"))];
      return [name, N === undefined ? text(S ?? "") : number(Number(N))];
    }),
  );
}
