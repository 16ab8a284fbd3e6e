import { compareText } from "../job/model/compare-text.ts";
import type { ClusterAnswer } from "../query/clusters/clusters.ts";
import { type CellRegistry, isCurrent } from "./cell-registry.ts";
import { type CellAnswer, type CellReader, fanOut } from "./fan-out.ts";
import { type CellsReply, incomplete } from "./list-over-cells.ts";

interface ClusterList {
  readonly items: readonly ClusterAnswer[];
}

/** The clusters of all cells by name, each once, with its cell. The cell that has it now describes it. */
export async function clustersOverCells(reader: CellReader, path: string): Promise<CellsReply> {
  const found = await fanOut<ClusterList>(reader, reader.registry.cells, () => path);
  if (found.outcome === "refused") return found;
  const items = mergeClusters(found.answers, reader.registry);
  return { body: { items, ...incomplete(found.unavailable) } };
}

function mergeClusters(answers: readonly CellAnswer<ClusterList>[], registry: CellRegistry): readonly ClusterAnswer[] {
  const known = answers.flatMap(({ cell, body }) =>
    body.items.map((item) => ({ item: { ...item, cell: cell.name }, isCurrent: isCurrent(registry, item.name, cell) })),
  );
  return [...Map.groupBy(known, ({ item }) => item.name).values()]
    .map((same) => same.find((one) => one.isCurrent) ?? same[0])
    .flatMap((one) => (one === undefined ? [] : [one.item]))
    .sort((a, b) => compareText(a.name, b.name));
}
