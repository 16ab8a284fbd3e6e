import { errorFields } from "./error-fields.ts";

/** What a process tells whoever runs it: one JSON object a line, as log collectors read it. */
export interface Journal {
  info(message: string, fields?: JournalFields): void;
  /** Something that mends itself, or that somebody should look at. */
  warn(message: string, fields?: JournalFields): void;
  /** Something that does not mend itself. */
  error(message: string, fields?: JournalFields): void;
}

/** What stands beside the message: JSON, and errors, which are written with their causes. */
export type JournalFields = Readonly<Record<string, unknown>>;

/** What `about` says at that moment stands in every line. */
export function createJournal(
  write: (line: string) => void,
  now: () => number,
  about: () => JournalFields = () => ({}),
): Journal {
  const tell =
    (level: string) =>
    (message: string, fields: JournalFields = {}) => {
      const line = { time: new Date(now()).toISOString(), level, message, ...about(), ...fields };
      write(`${JSON.stringify(line, (_, value: unknown) => (value instanceof Error ? errorFields(value) : value))}\n`);
    };
  return { info: tell("info"), warn: tell("warn"), error: tell("error") };
}
