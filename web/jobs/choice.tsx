import { route, setParameters } from "../shell/location.ts";
import { shownText } from "../text/shown-text.ts";

export interface ChoiceProps {
  /** The parameter in the address. */
  readonly name: string;
  readonly label: string;
  /** The label if nothing is chosen. */
  readonly all: string;
  readonly values: readonly string[];
  readonly textOf?: (value: string) => string;
}

/** A filter with few values. A value from a link that is not in the list stays chosen. */
export function Choice({ name, label, all, values, textOf = shownText }: ChoiceProps) {
  const chosen = route.value.parameters[name] ?? "";
  const offered = chosen === "" || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => setParameters({ [name]: event.currentTarget.value }, "push")}>
        <option value="">{all}</option>
        {offered.map((value) => (
          <option key={value} value={value}>
            {textOf(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
