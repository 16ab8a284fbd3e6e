import { useEffect, useState } from "preact/hooks";
import { route, setParameters } from "../shell/location.ts";

/** A text filter. It applies when the reader presses Enter or leaves the field. */
export function TextFilter({
  name,
  label,
  placeholder,
}: {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
}) {
  const given = route.value.parameters[name] ?? "";
  const [typed, setTyped] = useState(given);
  useEffect(() => setTyped(given), [given]);
  return (
    <label>
      {label}
      <input
        value={typed}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={() => setParameters({ [name]: typed.trim() }, "push")}
      />
    </label>
  );
}
