import { errorMessage } from "../../src/text/error-message.ts";

/** One thing that was looked at. */
export interface Check extends Finding {
  readonly check: string;
}
/** What came of looking. `detail` is a sentence; where something is wrong, it says what to do. */
export interface Finding {
  readonly result: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
}

/** Looks at something; what it throws is what is wrong. */
export async function checkThat(check: string, look: () => Promise<Finding>): Promise<Check> {
  try {
    return { check, ...(await look()) };
  } catch (cause) {
    return { check, ...failed(errorMessage(cause)) };
  }
}

export function ok(detail: string): Finding {
  return { result: "ok", detail };
}

export function warning(detail: string): Finding {
  return { result: "warning", detail };
}

export function failed(detail: string): Finding {
  return { result: "failed", detail };
}

export async function collect(checks: AsyncIterable<Check>): Promise<readonly Check[]> {
  const collected: Check[] = [];
  for await (const check of checks) collected.push(check);
  return collected;
}
