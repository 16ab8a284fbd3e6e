/** Another process writes the sums. The next run continues. */
export class SumsConflictError extends Error {
  override readonly name = "SumsConflictError";

  constructor(key: string) {
    super(`The sums ${key} were changed by another process. The next run continues.`);
  }
}

/** The stored sums cannot be read. */
export class SumsUnreadableError extends Error {
  override readonly name = "SumsUnreadableError";

  constructor(key: string) {
    super(`The sums ${key} are damaged, or a later release of Outlive wrote them. Update Outlive.`);
  }
}
