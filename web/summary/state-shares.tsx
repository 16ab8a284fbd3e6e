import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { place } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/place.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { STATES } from "../state/states.ts";
import { number } from "../text/plural.ts";

/** How the Jobs are spread over the states, each a link to its Jobs. */
export function StateShares({ summary: { byState, jobs } }: { readonly summary: SummaryAnswer }) {
  const { parameters } = place.value;
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
                <span class="only-read">Drawn</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {STATES.filter((state) => (byState[state] ?? 0) > 0).map((state) => (
              <tr key={state}>
                <td>
                  <StateBadge state={state} />
                </td>
                <td class="num">
                  <a href={linkTo("jobs", [], { ...parameters, state })}>{number(byState[state] ?? 0)}</a>
                </td>
                <td class="num">{(((byState[state] ?? 0) / Math.max(1, jobs)) * 100).toFixed(1)} %</td>
                <td class="hide-s">
                  <div class="share">
                    <div
                      class={`b-${LIKE[state]}`}
                      style={{ width: `${((byState[state] ?? 0) / Math.max(1, jobs)) * 100}%` }}
                    />
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** Colours of the bars (charts.css). */
const LIKE = {
  Running: "active",
  Pending: "wait",
  Suspended: "terminating",
  Complete: "succeeded",
  Failed: "failed",
  Deleted: "unknown",
  Unknown: "unknown",
} as const;
