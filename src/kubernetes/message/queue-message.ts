import { isObjectName, type ParseMessage } from "./message-grammar.ts";

/** Kueue's Event Started: "Admitted by clusterQueue gold". */
export const parseQueueMessage: ParseMessage = (message) => {
  const queue = /^Admitted by cluster ?Queue ([^\s,]+)(?:, .*)?$/i.exec(message)?.[1];
  return queue !== undefined && isObjectName(queue) ? { about: "queue", queue } : undefined;
};
