/** What was thrown, as a journal holds it: its causes too, because the first sentence seldom tells what broke. */
export interface ErrorFields {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/** A chain of causes that goes deeper tells nothing more. */
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
