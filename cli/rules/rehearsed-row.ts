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

export function rehearsedRow({ at, receiver, title, message }: Rehearsed): RehearsedRow {
  return { at: formatInstant(at), receiver, message: title, body: bodyOf(message) };
}

/** The content of a message: JSON, or the text of an e-mail or a heartbeat. */
function bodyOf(message: Rehearsed["message"]): unknown {
  switch (message.kind) {
    case "smtp":
      return { subject: message.subject, text: message.body };
    case "sns":
      return message.subject === undefined
        ? JSON.parse(message.body)
        : { subject: message.subject, text: message.body };
    case "http":
      return message.headers["content-type"]?.startsWith("text/") ? { text: message.body } : JSON.parse(message.body);
    case "eventbridge":
    case "trace":
      return JSON.parse(message.body);
  }
}

export const REHEARSED_COLUMNS: readonly Column<RehearsedRow>[] = [
  { header: "TIME", cell: ({ at }) => at },
  { header: "RECEIVER", cell: ({ receiver }) => receiver },
  { header: "MESSAGE", cell: ({ message }) => message },
];
