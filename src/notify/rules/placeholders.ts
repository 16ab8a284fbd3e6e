import { type Environment, PLACEHOLDER } from "../receivers/secret.ts";

/** Replaces each secret when no message is sent. */
export const PLACEHOLDERS: Environment = new Proxy({}, { get: () => PLACEHOLDER });

/** An environment for a rule file that has a placeholder for every secret, and records the names that were read. */
export function recordingPlaceholders(): { readonly environment: Environment; readonly names: ReadonlySet<string> } {
  const names = new Set<string>();
  const environment: Environment = new Proxy(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return PLACEHOLDER;
      },
    },
  );
  return { environment, names };
}
