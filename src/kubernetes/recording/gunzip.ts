import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

/** A gzip stream that is truncated or damaged. The readable part was already returned. */
export class BrokenGzipError extends Error {
  override readonly name = "BrokenGzipError";
}

/** The bytes of `source`, decompressed if they start like gzip (RFC 1952). Consecutive members are read as one. */
export async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const head = await readHead(chunks);
    const whole = withHead(head, chunks);
    yield* head[0] === 0x1f && head[1] === 0x8b ? decompress(whole) : whole;
  } finally {
    await chunks.return?.();
  }
}

/** The first chunk, extended to the two bytes that identify gzip. A copy, because the source may reuse its memory. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* withHead(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}

/** Input bytes per step: 16 KiB expand to at most 16 MiB. */
const STEP_BYTES = 16 * 1024;

/** Yields all output of a step before the next one, so that a later error loses nothing. */
async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const ready: Uint8Array[] = [];
  gunzip.on("data", (bytes: Uint8Array) => ready.push(bytes));
  const failed = once(gunzip, "error").then(([cause]: unknown[]) => {
    throw new BrokenGzipError("The gzip data is truncated or damaged.", { cause });
  });
  failed.catch(() => undefined);
  try {
    for await (const chunk of source) {
      for (let start = 0; start < chunk.length; start += STEP_BYTES) {
        await Promise.race([failed, write(gunzip, chunk.subarray(start, start + STEP_BYTES))]);
        yield* ready.splice(0);
      }
    }
    await Promise.race([failed, end(gunzip)]);
    yield* ready.splice(0);
  } catch (error) {
    // Yields the output of the failed step, too.
    yield* ready.splice(0);
    throw error;
  } finally {
    gunzip.destroy();
  }
}

function write(gunzip: Gunzip, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    gunzip.write(bytes, () => resolve());
  });
}

function end(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once("end", resolve);
    gunzip.end();
  });
}
