type Part = Uint8Array | Error | undefined;

/** A body of a response whose parts arrive when a test says so. The text "end" ends it. */
export interface WaitingBody extends AsyncIterable<Uint8Array> {
  push(text: string): void;
  fail(error: Error): void;
  /** Whether its reader left before the end. */
  readonly isLeft: boolean;
}

export function waitingBody(...texts: readonly string[]): WaitingBody {
  const parts: Part[] = texts.map(partOf);
  let wake = Promise.withResolvers<void>();
  let isLeft = false;
  const add = (part: Part): void => {
    parts.push(part);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        while (parts.length === 0) await wake.promise;
        const part = parts.shift();
        if (part === undefined) return;
        if (part instanceof Error) throw part;
        yield part;
      }
    } finally {
      isLeft = true;
    }
  };
  return {
    push: (text) => add(partOf(text)),
    fail: add,
    get isLeft() {
      return isLeft;
    },
    [Symbol.asyncIterator]: read,
  };
}

function partOf(text: string): Part {
  return text === "end" ? undefined : Buffer.from(text);
}
