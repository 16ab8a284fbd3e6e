import type { Attempt, ContainerRun } from "../../src/explain/answer-document.ts";
import { Panel } from "../shell/panel.tsx";
import { ShapedText } from "../state/shaped-text.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { runSpan } from "./pod-life.ts";

/** Each run of each container that has ended. */
export function ContainersPanel({ attempt: { containers } }: { readonly attempt: Attempt }) {
  return (
    <Panel id="containers" title="Containers" remark={`${plural(containers.length, "run")} ended.`} long>
      {containers.length === 0 ? (
        <p class="inside quiet">No end of a container was observed.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-label="Runs of containers, scrollable">
          <table>
            <caption class="only-read">Runs of containers that have ended</caption>
            <thead>
              <tr>
                <th scope="col">Container</th>
                <th scope="col" class="num">
                  Exit code
                </th>
                <th scope="col">Reason</th>
                <th scope="col" class="num">
                  Signal
                </th>
                <th scope="col" class="num">
                  Restart
                </th>
                <th scope="col">Started</th>
                <th scope="col">Ended</th>
                <th scope="col" class="num">
                  Ran
                </th>
              </tr>
            </thead>
            <tbody>
              {containers.map((run) => (
                <RunRow key={`${run.name} ${run.restartCount} ${run.reason}`} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function RunRow({ run }: { readonly run: ContainerRun }) {
  const { name, exitCode, reason, signal, restartCount, startedAt, finishedAt } = run;
  return (
    <tr>
      <th scope="row" class="mono">
        <ClusterText text={name} />
      </th>
      <td class="num">
        <ShapedText like={exitCode === 0 ? "Complete" : "Failed"}>{exitCode ?? "unknown"}</ShapedText>
      </td>
      <td>{shownText(reason ?? "–")}</td>
      <td class="num">{signal ?? "–"}</td>
      <td class="num">{restartCount}</td>
      <td>
        <Moment at={startedAt} />
      </td>
      <td>
        <Moment at={finishedAt} />
      </td>
      <td class="num">{runSpan(run) ?? "–"}</td>
    </tr>
  );
}
