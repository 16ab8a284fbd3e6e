/** A thrown value for the journal, with its causes: the message of the outermost error is rarely enough. */
export interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/** The longest chain of causes that is logged. */
const DEEPEST = 4;

export function errorFields(thrown: unknown, depth = 0): ErrorFields {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth < DEEPEST && { cause: errorFields(cause, depth + 1) }),
  };
}
