/** What a process tells whoever runs it: one JSON object a line, as log collectors read it. */
export interface Journal {
  info(message: string, fields?: JournalFields): void;
  /** Something that mends itself, or that somebody should look at. */
  warn(message: string, fields?: JournalFields): void;
  /** Something that does not mend itself. */
  error(message: string, fields?: JournalFields): void;
}

export type JournalFields = Readonly<Record<string, string | number | boolean | undefined>>;

export function createJournal(write: (line: string) => void, now: () => number): Journal {
  const tell =
    (level: string) =>
    (message: string, fields: JournalFields = {}) =>
      write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  return { info: tell("info"), warn: tell("warn"), error: tell("error") };
}
