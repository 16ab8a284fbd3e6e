/** The log of a process: one JSON object per line, for log collectors. */
export interface Journal {
  info(message: string, fields?: JournalFields): void;
  /** A problem that resolves itself, or that an operator should check. */
  warn(message: string, fields?: JournalFields): void;
  /** A problem that does not resolve itself. */
  error(message: string, fields?: JournalFields): void;
}

/** Fields beside the message: JSON, and errors, which are logged with their causes. */
export type JournalFields = Readonly<Record<string, unknown>>;

/** Every line has the current fields of `context`. */
export function createJournal(
  write: (line: string) => void,
  now: () => number,
  context: () => JournalFields = () => ({}),
): Journal {
  const log =
    (level: string) =>
    (message: string, fields: JournalFields = {}) => {
      const line = { time: new Date(now()).toISOString(), level, message, ...context(), ...fields };
      write(`${JSON.stringify(line, (_, value: unknown) => (value instanceof Error ? errorFields(value) : value))}\n`);
    };
  return { info: log("info"), warn: log("warn"), error: log("error") };
}

/** A thrown value for the journal, with its causes: the message of the outermost error is rarely enough. */
export interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/** The longest chain of causes that is logged. */
const DEEPEST = 4;

function errorFields(thrown: unknown, depth = 0): ErrorFields {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth < DEEPEST && { cause: errorFields(cause, depth + 1) }),
  };
}
