/** Whoever invoked the function gave it something that it does not take. The message says what it takes. */
export class UnknownEventError extends Error {
  override readonly name = "UnknownEventError";

  constructor(takes: string) {
    super(`The function was invoked with something else than it takes: ${takes}.`);
  }
}
