import { isObjectName, type ParseMessage } from "./message-grammar.ts";

/** "Created pod: report-x7k2p", "Deleted pod: ...", "Preempted by pod UID on node ...": which Pod an Event is about besides its object. */
export const parseRelatedPodMessage: ParseMessage = (message) => {
  const name = /^(?:(?:Created|Deleted) pod:|Preempted by (?:a )?pod) (\S+)/.exec(message)?.[1];
  return name !== undefined && isObjectName(name) ? { about: "pod", name } : undefined;
};
