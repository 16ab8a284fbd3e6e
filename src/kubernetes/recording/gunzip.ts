import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

/** A gzip stream that ends too soon or does not decompress. What could be read before was handed out. */
export class BrokenGzipError extends Error {
  override readonly name = "BrokenGzipError";
}

/** The bytes of `source`, decompressed where they begin as gzip does (RFC 1952); members that follow one another are read as one. */
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

/** The first chunk, joined with as many more as it takes to hold the two bytes that tell gzip. A copy: a source may use its memory again. */
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

/** How much is decompressed at a time: 16 KiB come to 16 MiB at the very most. */
const STEP_BYTES = 16 * 1024;

/** Hands out all that a step yields before it takes the next one, so that an error later on takes nothing back. */
async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const ready: Uint8Array[] = [];
  gunzip.on("data", (bytes: Uint8Array) => ready.push(bytes));
  const failed = once(gunzip, "error").then(([cause]: unknown[]) => {
    throw new BrokenGzipError("The gzip data is cut or damaged.", { cause });
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
    // What the failed step yielded before it failed, too.
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
