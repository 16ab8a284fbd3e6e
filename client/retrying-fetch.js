/** The server is busy, and did not begin to answer. Other errors would be the same again. */
const BUSY = new Set([429, 503]);
const RETRIES = 4;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 4_000;
/** A server that asks for a longer pause is not waited for: the caller gets its answer. */
const LONGEST_RETRY_AFTER_MILLIS = 30_000;

/**
 * Repeats requests that a busy server refused (429, 503), a bounded number of times. It waits as long as `Retry-After`
 * says. API Gateway sends no such header when it throttles: then the pauses double, and are random so that clients do
 * not return together. Use it for requests without a body.
 *
 * @param {typeof fetch} fetchOnce
 * @param {import("./outlive-client.d.ts").RetryOptions} [options]
 * @returns {typeof fetch}
 */
export function retryingFetch(fetchOnce, { retries = RETRIES, pause = pauseFor, random = Math.random } = {}) {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : new AbortController().signal);
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetchOnce(input instanceof Request ? input.clone() : input, init);
      if (attempt >= retries || !BUSY.has(response.status)) return response;
      const millis = pauseMillis(response.headers.get("retry-after"), attempt, random);
      if (millis > LONGEST_RETRY_AFTER_MILLIS) return response;
      await response.body?.cancel();
      await pause(millis, signal);
    }
  };
}

/**
 * @param {string | null} retryAfter
 * @param {number} attempt
 * @param {() => number} random
 */
function pauseMillis(retryAfter, attempt, random) {
  const most = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** attempt);
  return retryAfterMillis(retryAfter) ?? most / 2 + (most / 2) * random();
}

/**
 * The header is a number of seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @param {string | null} header
 * @returns {number | undefined}
 */
function retryAfterMillis(header) {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pauseFor(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
