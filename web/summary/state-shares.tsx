import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { type State, STATES } from "../state/states.ts";
import { number } from "../text/plural.ts";
import type { SummaryQuery } from "./summary-range.ts";

interface StateSharesProps {
  readonly summary: SummaryAnswer;
  readonly query: SummaryQuery;
}

/** The share of each state. Each row links to its Jobs. */
export function StateShares({ summary: { byState, jobs }, query }: StateSharesProps) {
  return (
    <Panel id="states" title="States">
      <div class="scroll">
        <table>
          <caption class="only-read">Jobs by state</caption>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col" class="num">
                Jobs
              </th>
              <th scope="col" class="num">
                Share
              </th>
              <th scope="col" class="w-name hide-s">
                <span class="only-read">Share as a bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {STATES.filter((state) => (byState[state] ?? 0) > 0).map((state) => (
              <StateRow key={state} state={state} count={byState[state] ?? 0} total={jobs} query={query} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

interface StateRowProps {
  readonly state: State;
  readonly count: number;
  readonly total: number;
  readonly query: SummaryQuery;
}

function StateRow({ state, count, total, query }: StateRowProps) {
  const share = (count / Math.max(1, total)) * 100;
  return (
    <tr>
      <td>
        <StateBadge state={state} />
      </td>
      <td class="num">
        <a href={linkTo("jobs", [], { ...query.jobs, state })}>{number(count)}</a>
      </td>
      <td class="num">{share.toFixed(1)} %</td>
      <td class="hide-s">
        <div class="share">
          <div class={`b-${BAR_CLASS[state]}`} style={{ width: `${share}%` }} />
        </div>
      </td>
    </tr>
  );
}

/** Classes of charts.css. */
const BAR_CLASS = {
  Running: "active",
  Pending: "wait",
  Suspended: "terminating",
  Complete: "succeeded",
  Failed: "failed",
  Deleted: "unknown",
  Unknown: "unknown",
} as const;
