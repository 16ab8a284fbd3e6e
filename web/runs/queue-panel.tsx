import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { Panel } from "../shell/panel.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { localText, millisOf } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

type Queue = NonNullable<RunAnswer["queue"]>;

/** What Kueue did with the run, in order. */
export function QueuePanel({ queue }: { readonly queue: Queue }) {
  const { name, clusterQueue } = queue;
  return (
    <Panel
      id="queue"
      title="Queue"
      remark={
        <>
          <ClusterText text={name} />
          {clusterQueue === undefined ? null : (
            <>
              {" "}
              of <ClusterText text={clusterQueue} />
            </>
          )}
        </>
      }
    >
      <ol class="chain inside">
        {eventsOf(queue).map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <span class="quiet">{localText(at)}</span>
            <span class="breaks">{shownText(text)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

interface QueueEvent {
  readonly at: number;
  readonly text: string;
}

function eventsOf({ waits, admittedAt, evictions }: Queue): readonly QueueEvent[] {
  const events = [
    ...waits.map((wait) => ({ at: millisOf(wait.from), text: waitText(wait) })),
    ...admittedAt.map((time) => ({ at: millisOf(time), text: "Admitted" })),
    ...evictions.map((eviction) => ({ at: millisOf(eviction.at), text: evictionText(eviction) })),
  ];
  return events.flatMap(({ at, text }) => (at === undefined ? [] : [{ at, text }])).sort((a, b) => a.at - b.at);
}

function waitText({ from, to, reason, message }: Queue["waits"][number]): string {
  const [since, until] = [millisOf(from), millisOf(to)];
  const span = since === undefined || until === undefined ? "still waits" : `waited ${spanText(until - since)}`;
  return `Queue: ${span} (${reason})${message === undefined ? "" : `: ${message}`}`;
}

function evictionText({ reason, by }: Queue["evictions"][number]): string {
  if (by === undefined) return `Evicted: ${reason}`;
  return `Evicted: ${reason}, by ${by.kind} ${by.name ?? by.uid ?? "unknown"}`;
}
