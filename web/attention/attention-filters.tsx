import { Filters } from "../filters/filters.tsx";
import { Choice } from "../jobs/choice.tsx";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { route } from "../shell/location.ts";
import { SPAN_TEXTS, STANDARD_SPAN_TEXT } from "./attention-parameters.ts";
import { useAttention } from "./live-attention.ts";

const LABELS = { severity: "Severity", cluster: "Cluster", namespace: "Namespace", team: "Team", since: "Time" };

/** Every filter of the view. Each is a parameter in the address. */
export function AttentionFilters() {
  const all = useAttention();
  const items = all.phase === "answered" ? all.answer.items : [];
  const teams = [...new Set(items.flatMap((entry) => entry.teams))].sort();
  const hasTeams = teams.length > 0 || route.value.parameters["team"] !== undefined;
  return (
    <Filters labels={LABELS}>
      <ClusterChoices />
      {hasTeams ? <Choice name="team" label="Team" all="All teams" values={teams} /> : null}
      <Choice
        name="since"
        label="Time"
        all={STANDARD_SPAN_TEXT}
        values={[...SPAN_TEXTS.keys()]}
        textOf={(span) => SPAN_TEXTS.get(span) ?? span}
      />
    </Filters>
  );
}
