import { missingCells } from "../api/missing-cells.ts";
import { Banner } from "../shell/banner.tsx";

/** Shown above every view while answers lack the Jobs of a cell. */
export function MissingCellsBanner() {
  const cells = missingCells.value;
  if (cells.length === 0) return null;
  return (
    <Banner tone="bad" title="This data is incomplete.">
      These cells do not answer: {cells.join(", ")}. Jobs of their clusters are missing.
    </Banner>
  );
}
