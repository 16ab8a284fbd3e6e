import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../shell/icon.tsx";
import { route, setParameters } from "../shell/location.ts";
import { shownText } from "../text/shown-text.ts";
import { type ActiveFilter, activeFilters } from "./active-filters.ts";

interface FiltersProps {
  /** The label of each field, by its parameter of the address. */
  readonly labels: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
  /** What to do with the chosen filters. It is in the last line, on a narrow screen beside the folded filters. */
  readonly action?: ComponentChildren;
}

/** The filters of a view. On a narrow screen they fold into one line, which says what is filtered. */
export function Filters({ labels, children, action }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { inBar, others } = activeFilters(route.value.parameters, labels);
  return (
    <search class={isOpen ? "filters open" : "filters"}>
      <div class="fold">
        <button
          type="button"
          data-filter-fold
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{inBar.length === 0 ? "" : ` (${inBar.length})`}
        </button>
        <bdi class="quiet">{inBar.length === 0 ? "none" : inBar.map(filterText).join(" · ")}</bdi>
      </div>
      <div id={id} class="fields">
        {children}
      </div>
      {action}
      {others.length === 0 ? null : <OtherFilters filters={others} />}
    </search>
  );
}

/** Filters of a link that have no field. They stay visible, and can be removed. */
function OtherFilters({ filters }: { readonly filters: readonly ActiveFilter[] }) {
  return (
    <ul class="other-filters" aria-label="Filters of the link">
      {filters.map((filter) => (
        <li key={filter.name} class="chip">
          <bdi>{filterText(filter)}</bdi>
          <button
            type="button"
            class="bare"
            aria-label={`Remove the filter ${shownText(filter.name)}`}
            onClick={() => setParameters({ [filter.name]: "" }, "push")}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function filterText({ label, value }: ActiveFilter): string {
  return `${label} ${shownText(value)}`;
}
