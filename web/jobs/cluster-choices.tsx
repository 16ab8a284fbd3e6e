import { useClusters } from "../clusters/use-clusters.ts";
import { route } from "../shell/location.ts";
import { Choice } from "./choice.tsx";

/** Filters for cluster and namespace. */
export function ClusterChoices() {
  const live = useClusters();
  const clusters = live.phase === "answered" ? live.answer.items : [];
  const { cluster } = route.value.parameters;
  const within = clusters.filter(({ name }) => cluster === undefined || name === cluster);
  const namespaces = [...new Set(within.flatMap((known) => known.namespaces))].sort();
  return (
    <>
      <Choice name="cluster" label="Cluster" all="All clusters" values={clusters.map(({ name }) => name)} />
      <Choice name="namespace" label="Namespace" all="All namespaces" values={namespaces} />
    </>
  );
}
