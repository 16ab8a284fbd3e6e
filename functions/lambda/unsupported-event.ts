/** The function was invoked with an event of another form. */
export class UnsupportedEventError extends Error {
  override readonly name = "UnsupportedEventError";

  constructor(expected: string) {
    super(`Unsupported event. Expected ${expected}.`);
  }
}
