import { Icon } from "../shell/icon.tsx";
import { route, setParameters } from "../shell/location.ts";
import { number } from "../text/plural.ts";
import type { Severity } from "../../src/explain/attention/severity.ts";
import type { AttentionList } from "./attention-lists.ts";
import { SEVERITY_TEXTS } from "./severities.ts";

const ICONS = { failed: "cross", atRisk: "warning", cleanedUp: "info" } as const satisfies Record<Severity, string>;

/** The shape and colour of a severity. Its name is always beside it. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`severity-icon ${severity}`}>
      <Icon name={ICONS[severity]} />
    </span>
  );
}

/** How many entries each severity has. A click shows only these; the address says so. */
export function SeverityFilter({ lists }: { readonly lists: readonly AttentionList[] }) {
  const { severity: chosen } = route.value.parameters;
  return (
    <fieldset class="severities">
      <legend class="only-read">Show one severity</legend>
      {lists.map(({ severity, open, newCount }) => (
        <button
          key={severity}
          type="button"
          aria-pressed={chosen === severity}
          onClick={() => setParameters({ severity: chosen === severity ? undefined : severity }, "push")}
        >
          <SeverityIcon severity={severity} />
          <b>{number(open.length)}</b> <span>{SEVERITY_TEXTS[severity].title}</span>
          {newCount === 0 ? null : <span class="tag new">{number(newCount)} new</span>}
        </button>
      ))}
    </fieldset>
  );
}
