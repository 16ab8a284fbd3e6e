import { errorMessage } from "../../src/job/text/error-message.ts";

/** One check and its result. */
export interface Check extends Finding {
  readonly check: string;
}
/** The result of a check. `detail` is a sentence; if something is wrong, it says what to do. */
export interface Finding {
  readonly result: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
}

/** Runs a check. An error that it throws becomes its result. */
export async function checkThat(check: string, find: () => Promise<Finding>): Promise<Check> {
  try {
    return { check, ...(await find()) };
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
