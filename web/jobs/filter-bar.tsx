import { Filters } from "../filters/filters.tsx";
import { SaveView } from "../saved-views/saved-views.tsx";
import { route, setParameters } from "../shell/location.ts";
import { STATES } from "../state/states.ts";
import { StateBadge } from "../state/state-badge.tsx";
import type { State } from "../state/states.ts";
import { Choice } from "./choice.tsx";
import { SPANS } from "./list-parameters.ts";
import { ClusterChoices } from "./cluster-choices.tsx";
import { TextFilter } from "./text-filter.tsx";

const LABELS = {
  q: "Search",
  cluster: "Cluster",
  namespace: "Namespace",
  created: "Created within",
  labelSelector: "Labels",
  owner: "Owner",
  waiting: "Waiting",
  state: "State",
};

/** Every filter of the list. Each is a parameter in the address. */
export function FilterBar() {
  const { parameters } = route.value;
  return (
    <Filters labels={LABELS} action={<SaveView />}>
      <label class="wide">
        Search the list
        <input
          type="search"
          data-filter
          placeholder="Name, namespace, finding …"
          value={parameters["q"] ?? ""}
          onInput={(event) => setParameters({ q: event.currentTarget.value }, "replace")}
        />
      </label>
      <ClusterChoices />
      <Choice name="created" label="Created within" all="Any time" values={[...SPANS.keys()]} />
      <TextFilter name="labelSelector" label="Label selector" placeholder="app=render,tier in (a,b)" />
      <TextFilter name="owner" label="Owner" placeholder="CronJob/nightly" />
      <Choice name="waiting" label="Running" all="Any" values={["true"]} textOf={() => "Waiting only"} />
      <StateChoice chosen={(parameters["state"] ?? "").split(",")} />
    </Filters>
  );
}

function StateChoice({ chosen }: { readonly chosen: readonly string[] }) {
  const toggle = (state: State): void => {
    const next = STATES.filter((name) => (name === state) !== chosen.includes(name));
    setParameters({ state: next.join(",") }, "push");
  };
  return (
    <fieldset>
      <legend>States</legend>
      <div class="chips">
        {STATES.map((state) => (
          <button key={state} type="button" aria-pressed={chosen.includes(state)} onClick={() => toggle(state)}>
            <StateBadge state={state} />
          </button>
        ))}
      </div>
    </fieldset>
  );
}
