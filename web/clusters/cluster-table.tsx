import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { now } from "../shell/clock.ts";
import { linkTo } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import { freshnessOf, type Freshness } from "./cluster-freshness.ts";
import { ShapedText } from "../state/shaped-text.tsx";
import { spanText } from "../text/span-text.ts";

interface ClusterTableProps {
  readonly clusters: readonly ClusterAnswer[];
  /** How many gaps a cluster has. */
  readonly gapsOf: (cluster: string) => number;
}

export function ClusterTable({ clusters, gapsOf }: ClusterTableProps) {
  return (
    <div class="scroll">
      <table>
        <caption class="only-read">Clusters, and how recent the data of each is</caption>
        <thead>
          <tr>
            {HEADERS.map(([header, css]) => (
              <th key={header} scope="col" class={css}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {clusters.map((cluster) => (
            <ClusterRow key={cluster.name} cluster={cluster} gaps={gapsOf(cluster.name)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const HEADERS = [
  ["Cluster", ""],
  ["Freshness", ""],
  ["Last data", "num hide-s"],
  ["Monitoring gaps", "num hide-s"],
  ["Kubernetes", "hide-s"],
  ["Namespaces", "num hide-s"],
  ["kube-system uid", "hide-m"],
] as const;

function ClusterRow({ cluster, gaps }: { readonly cluster: ClusterAnswer; readonly gaps: number }) {
  const { name, observedAt, serverVersion, namespaces, kubeSystemUid } = cluster;
  return (
    <tr>
      <td class="name">
        <a href={linkTo("jobs", [], { cluster: name })}>
          <ClusterText text={name} />
        </a>
      </td>
      <td>
        <FreshnessBadge freshness={freshnessOf(cluster, now.value)} />
      </td>
      <td class="num hide-s">
        <Age at={observedAt} />
      </td>
      <td class="num hide-s">{number(gaps)}</td>
      <td class="hide-s">
        <TextOrDash text={serverVersion} />
      </td>
      <td class="num hide-s">{number(namespaces.length)}</td>
      <td class="mono hide-m">
        <TextOrDash text={kubeSystemUid} />
      </td>
    </tr>
  );
}

function TextOrDash({ text }: { readonly text: string | undefined }) {
  return text === undefined ? <span class="quiet">–</span> : <ClusterText text={text} />;
}

/** Freshness as text, colour and shape. The lag uses the cluster's own clock, so it also shows a wrong clock. */
function FreshnessBadge({ freshness }: { readonly freshness: Freshness }) {
  switch (freshness.kind) {
    case "fresh":
      return <ShapedText like="Complete">Fresh, lag {spanText(freshness.lagMillis)}</ShapedText>;
    case "notReporting":
      return <ShapedText like="Failed">Not reporting for {spanText(freshness.lagMillis)}</ShapedText>;
    case "notWatched":
      return <ShapedText like="Pending">Imported, not watched</ShapedText>;
  }
}
