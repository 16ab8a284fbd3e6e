import type { Environment } from "./rule-document.ts";

const PLACEHOLDER = "https://receiver.invalid/";

/** Stands for each secret where no message is sent. */
export const PLACEHOLDERS: Environment = new Proxy({}, { get: () => PLACEHOLDER });

/** The secrets of a rule file: an environment that has each of them, and the names that were read from it. */
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
