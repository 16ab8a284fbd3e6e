import type { Attempt } from "../../src/explain/answer-document.ts";
import { PodLogs } from "../job/answer/pod-logs.tsx";
import { Panel } from "../shell/panel.tsx";
import type { PodName } from "../shell/route.ts";
import { Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { lifeOf } from "./pod-life.ts";
import { requestText } from "./request-text.ts";

interface PodTimesPanelProps {
  readonly pod: PodName;
  readonly attempt: Attempt;
  readonly heardAt: string;
}

/** The logs of a Pod, its times, and what it requested. */
export function PodTimesPanel({ pod, attempt, heardAt }: PodTimesPanelProps) {
  const { requests = {}, restarts } = attempt;
  const requested = Object.entries(requests).map(([resource, quantity]) => requestText(resource, quantity));
  return (
    <Panel id="times" title="Logs, times and requests">
      <div class="inside two even answer-parts">
        <div>
          <PodLogs attempt={attempt} namespace={pod.namespace} heardAt={heardAt} />
        </div>
        <dl class="facts">
          {lifeOf(attempt).flatMap(({ text, at, after }) => [
            <dt key={`${text} step`}>{text}</dt>,
            <dd key={text}>
              <Moment at={at} /> {after === undefined ? null : <span class="quiet">after {after}</span>}
            </dd>,
          ])}
          <dt>Restarts</dt>
          <dd>{restarts}</dd>
          <dt>Requested</dt>
          <dd>{requested.length === 0 ? "unknown, or none" : shownText(requested.join(", "))}</dd>
        </dl>
      </div>
    </Panel>
  );
}
