import type { QueryPorts } from "../query/ports.ts";

/** The value of `Warning` (RFC 7234, 5.5) in an answer from the archive. */
const WARNING =
  '299 outlive "The state of the Job has expired. This answer is from the archive, which takes longer to read."';

/** Observes whether an answer is from the archive. */
export class ArchiveUse {
  #isUsed = false;

  /** The header that says so. */
  get warning(): string | undefined {
    return this.#isUsed ? WARNING : undefined;
  }

  /** The same stores. */
  watch(ports: QueryPorts): QueryPorts {
    const { archived } = ports;
    if (archived === undefined) return ports;
    const find: typeof archived.find = async (wanted) => {
      const found = await archived.find(wanted);
      if (found !== undefined) this.#isUsed = true;
      return found;
    };
    return { ...ports, archived: { find } };
  }
}
