import { UNAVAILABLE_HEADER } from "../../src/cells/unavailable-header.ts";
import type { ApiClient } from "../../src/client/api-client.ts";
import { CommandFailure } from "../../src/command-line/command-failure.ts";

/** Prints the warnings of an API once each, and remembers which cells its answers lack. */
export class IncompleteAnswers {
  readonly #remark: (text: string) => void;
  readonly #warnings = new Set<string>();
  readonly #cells = new Set<string>();

  constructor(remark: (text: string) => void) {
    this.#remark = remark;
  }

  /** The same client; its answers are watched. */
  watch(api: ApiClient): ApiClient {
    return {
      ...api,
      request: async (path) => {
        const response = await api.request(path);
        this.#note(response.headers);
        return response;
      },
    };
  }

  #note(headers: Headers): void {
    for (const cell of headers.get(UNAVAILABLE_HEADER)?.split(", ") ?? []) this.#cells.add(cell);
    // RFC 7234, 5.5: the code 299, an agent, and a quoted text.
    const text = /^299 \S+ "(.*)"$/.exec(headers.get("warning") ?? "")?.[1];
    if (text === undefined || this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#remark(`Warning: ${text}`);
  }

  /** Throws with exit status 3, unknown, if an answer lacked a cell: what was printed is not everything. */
  requireComplete(): void {
    if (this.#cells.size === 0) return;
    const cells = [...this.#cells].sort().join(", ");
    throw new CommandFailure(3, `The answer is incomplete: these cells did not answer: ${cells}. Try again later.`);
  }
}
