/** The variables of this process: the secrets that a rule file names. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
