import type { Attempt } from "../../../src/explain/answer-document.ts";
import { Command } from "../../controls/command.tsx";
import { Moment } from "../../text/moment.tsx";
import { ClusterText } from "../../text/cluster-text.tsx";
import { hasRun } from "./decisive-pod.ts";
import { logCommand, logWindow } from "./log-search.ts";

interface PodLogsProps {
  readonly attempt: Attempt;
  readonly namespace: string;
  /** When its cluster was last heard of: a Pod that has not ended has logs until then. */
  readonly heardAt: string;
}

/** Where the logs of a Pod are, with their exact time. Without configured links, how to find them. */
export function PodLogs({ attempt, namespace, heardAt }: PodLogsProps) {
  const { logs = [] } = attempt;
  if (!hasRun(attempt)) return <p class="quiet">None of its containers ran, so it has no logs.</p>;
  const { from, to } = logWindow(attempt, heardAt);
  return (
    <div class="pod-logs">
      {logs.length === 0 ? (
        <WithoutLinks attempt={attempt} namespace={namespace} />
      ) : (
        <ul class="log-buttons" aria-label="Logs">
          {logs.map(({ name, container, url }) => (
            <li key={url}>
              <a class="button main" href={url} target="_blank" rel="noopener noreferrer">
                Logs in {name}
                {container === undefined ? null : (
                  <>
                    {" "}
                    of <ClusterText text={container} />
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        Logs from <Moment at={instant(from)} /> to <Moment at={instant(to)} form="time" />
        {logs.length === 0 ? ". For links, start the server with --log-links FILE (docs/log-links.md)." : null}
      </p>
    </div>
  );
}

function WithoutLinks({ attempt, namespace }: Pick<PodLogsProps, "attempt" | "namespace">) {
  const command = logCommand(attempt, namespace);
  if (command !== undefined) return <Command command={command} />;
  return (
    <p>
      The Pod no longer exists. Search your logs for Pod{" "}
      <span class="mono">
        <ClusterText text={attempt.name} />
      </span>
      .
    </p>
  );
}

function instant(millis: number): string {
  return new Date(millis).toISOString();
}
