import * as v from "valibot";
import type { Rehearsed } from "../../src/host/embedded/rehearse-rules.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import type { Column } from "../output/table.ts";

/** A message that rules would have sent. */
export interface RehearsedRow {
  readonly at: string;
  readonly receiver: string;
  /** The first line of the message. */
  readonly message: string;
  readonly body: unknown;
}

/** The text in the form of a receiver: EventBridge, CloudEvents, PagerDuty, Slack, e-mail. Any other form is JSON. */
const firstLine = v.union([
  v.pipe(
    v.object({ kind: v.string(), headline: v.string() }),
    v.transform(({ kind, headline }) => `${kind}: ${headline}`),
  ),
  v.pipe(
    v.object({ data: v.object({ kind: v.string(), headline: v.string() }) }),
    v.transform(({ data }) => `${data.kind}: ${data.headline}`),
  ),
  v.pipe(
    v.object({ event_action: v.string(), payload: v.object({ summary: v.string() }) }),
    v.transform(({ event_action: action, payload }) => `${action}: ${payload.summary}`),
  ),
  v.pipe(
    v.object({ blocks: v.looseTuple([v.object({ text: v.object({ text: v.string() }) })]) }),
    v.transform(({ blocks }) => blocks[0].text.text),
  ),
  v.pipe(
    v.object({ subject: v.string(), text: v.string() }),
    v.transform(({ text }) => text.split("\n", 1).join("")),
  ),
  v.pipe(
    v.unknown(),
    v.transform((body) => JSON.stringify(body)),
  ),
]);

export function rehearsedRow({ at, receiver, request }: Rehearsed): RehearsedRow {
  const body = bodyOf(request);
  return { at: formatInstant(at), receiver, message: v.parse(firstLine, body), body };
}

/** An e-mail is text, all others are JSON. */
function bodyOf(message: Rehearsed["request"]): unknown {
  if (message.kind === "sns" && message.subject !== undefined) return { subject: message.subject, text: message.body };
  return JSON.parse(message.body);
}

export const REHEARSED_COLUMNS: readonly Column<RehearsedRow>[] = [
  { header: "TIME", cell: ({ at }) => at },
  { header: "RECEIVER", cell: ({ receiver }) => receiver },
  { header: "MESSAGE", cell: ({ message }) => message },
];
