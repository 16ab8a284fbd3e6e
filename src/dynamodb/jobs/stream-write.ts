import { decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { EncodedJobState } from "../../ports/job-row.ts";
import type { JobKey } from "../../ports/jobs.ts";
import type { StreamedWrite } from "../../ports/streams/job-stream.ts";
import { bytes, type Item, number, text } from "../attribute.ts";
import { toStoredJob } from "./job-item.ts";
import type { Image, StreamRecord } from "./stream-client.ts";

/** The write of a Job's state; `undefined` for a page of a large Job, and for records of the table itself. */
export function toStreamedWrite({ key, position, at, before, after }: StreamRecord): StreamedWrite | undefined {
  const job = key.sk?.S === "S" ? toKey(key.pk?.S ?? "") : undefined;
  if (job === undefined) return undefined;
  return {
    key: job,
    position,
    at,
    ...(before !== undefined && { before: toState(before) }),
    ...(after !== undefined && { after: toState(after) }),
  };
}

function toKey(pk: string): JobKey | undefined {
  const end = pk.indexOf("#");
  const [cluster, jobUid] = [decodeClusterName(pk.slice(0, end)), decodeJobUid(pk.slice(end + 1))];
  return cluster === undefined || jobUid === undefined ? undefined : { cluster, jobUid };
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
