import { isObjectName, type ParseMessage } from "./message-grammar.ts";

/** The other Pod of an Event: "Created pod: report-x7k2p", "Deleted pod: ...", "Preempted by pod UID on node ...". */
export const parseRelatedPodMessage: ParseMessage = (message) => {
  const name = CREATED.exec(message)?.[1] ?? PREEMPTED.exec(message)?.[1];
  return name !== undefined && isObjectName(name) ? { about: "pod", name } : undefined;
};

const CREATED = /^(?:Created|Deleted) pod: (\S+)$/;
const PREEMPTED = /^Preempted by (?:a )?pod ([0-9a-f-]{36}) on node \S+$/;
