import { errorMessage } from "../../job/text/error-message.ts";

/** A document of the issuer could not be read. The message says which and why. */
export class IssuerUnreachableError extends Error {
  override readonly name = "IssuerUnreachableError";

  constructor(url: string, why: string, options?: ErrorOptions) {
    super(`${url} ${why}`, options);
  }
}

/** Long enough for a distant issuer, and well below the 29 s after which API Gateway ends a request. */
const TIMEOUT_MILLIS = 5_000;
/** A key set has a few KB. */
const MAX_BYTES = 1_048_576;

/**
 * Reads a document of the issuer. Follows no redirect, because only the issuer's own host is trusted.
 * Throws {@link IssuerUnreachableError}.
 */
export async function fetchDocument(url: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    if (!response.ok) throw new IssuerUnreachableError(url, `returned status ${response.status}.`);
    return await boundedBody(url, response);
  } catch (cause) {
    if (cause instanceof IssuerUnreachableError) throw cause;
    throw new IssuerUnreachableError(url, `could not be read: ${reasonOf(cause)}.`, { cause });
  }
}

async function boundedBody(url: string, response: Response): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // In Node, a body is async iterable. Its type, which describes browsers, does not say so.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new IssuerUnreachableError(url, `has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole.buffer;
}

/** fetch wraps the reason in a TypeError that only says "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return errorMessage(cause);
}
