import type { QueryPorts } from "../query/ports.ts";

/** The values of `Warning` (RFC 7234, 5.5) in an answer from the archive. */
const JOB_EXPIRED =
  '299 outlive "The state of the Job has expired. This answer is from the archive, which takes longer to read."';
const LOG_EXPIRED =
  '299 outlive "Facts of the Job are no longer in the log. They are from the archive, which takes longer to read."';

/** Observes whether an answer is from the archive. */
export class ArchiveUse {
  /** The header that says so. */
  warning: string | undefined;

  /** The same stores. */
  watch<Ports extends QueryPorts>(ports: Ports): Ports {
    const { archived } = ports;
    if (archived === undefined) return ports;
    const find: typeof archived.find = async (wanted) => {
      const found = await archived.find(wanted);
      if (found !== undefined) this.warning = JOB_EXPIRED;
      return found;
    };
    const readSegment: typeof archived.readSegment = async (key) => {
      const found = await archived.readSegment(key);
      if (found !== undefined) this.warning ??= LOG_EXPIRED;
      return found;
    };
    return { ...ports, archived: { find, readSegment } };
  }
}
