import { place, setParameters } from "../shell/location.ts";
import { shownText } from "../text/shown-text.ts";

export interface ChoiceProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  /** What it is called when nothing is chosen. */
  readonly all: string;
  readonly values: readonly string[];
  readonly textOf?: (value: string) => string;
}

/** A filter with few values. What a link says and the list does not know stays chosen. */
export function Choice({ name, label, all, values, textOf = shownText }: ChoiceProps) {
  const chosen = place.value.parameters[name] ?? "";
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
