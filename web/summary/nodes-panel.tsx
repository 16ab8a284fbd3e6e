import type { NodeAnswer, NodesAnswer } from "../../src/explain/nodes/nodes-schema.ts";
import { nodeShareText, nodesText } from "../../src/explain/nodes/nodes-text.ts";
import { request } from "../api/request.ts";
import { OnRequest } from "../shell/on-request.tsx";
import { Panel } from "../shell/panel.tsx";
import { linkToJob } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { number } from "../text/plural.ts";
import { type SummaryQuery, timeBounds } from "./summary-range.ts";

const MOST = 10;

/** The nodes on which most Pods failed. */
export function NodesPanel({ query }: { readonly query: SummaryQuery }) {
  const parameters = { ...query.filters, since: timeBounds(query)["since"], limit: MOST };
  const load = (signal: AbortSignal) => request<NodesAnswer>("nodes", parameters, signal);
  return (
    <Panel id="nodes" title="Nodes on which most Pods failed">
      <OnRequest
        name="nodes"
        showLabel="Compare the nodes"
        hideLabel="Hide the nodes"
        what="the nodes"
        of={JSON.stringify(parameters)}
        load={load}
      >
        {(answer) => <NodesTable answer={answer} />}
      </OnRequest>
    </Panel>
  );
}

function NodesTable({ answer }: { readonly answer: NodesAnswer }) {
  return (
    <>
      <p class="inside">{nodesText(answer)}</p>
      {answer.partial === undefined ? null : (
        <p class="inside quiet">Too many Jobs: this covers Jobs created since {answer.partial.since}.</p>
      )}
      {answer.items.length === 0 ? null : (
        <div class="scroll">
          <table class="comparison">
            <caption class="only-read">Nodes on which most Pods failed</caption>
            <thead>
              <tr>
                {["Node", "Cluster", "Pods", "Failed", "Share", "At least", "Others", "Category", "Newest Job"].map(
                  (name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {answer.items.map((item) => (
                <NodeRow key={`${item.cluster}/${item.node}`} item={item} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function NodeRow({
  item: { cluster, node, pods, failed, worse, category, job, ...shares },
}: {
  readonly item: NodeAnswer;
}) {
  return (
    <tr>
      <th scope="row">
        <ClusterText text={node} /> {worse ? <span class="tag warn">worse</span> : null}
      </th>
      <td>
        <ClusterText text={cluster} />
      </td>
      <td>{number(pods)}</td>
      <td>{number(failed)}</td>
      <td>{nodeShareText(shares.failedShare)}</td>
      <td>{nodeShareText(shares.failedShareAtLeast)}</td>
      <td>{nodeShareText(shares.othersFailedShare)}</td>
      <td>{category ?? "–"}</td>
      <td>
        {job === undefined ? (
          "–"
        ) : (
          <a href={linkToJob({ cluster, ...job })}>
            <ClusterText text={job.name} />
          </a>
        )}
      </td>
    </tr>
  );
}
