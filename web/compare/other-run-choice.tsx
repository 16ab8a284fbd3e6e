import { setParameters } from "../shell/location.ts";
import { localText, millisOf } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import type { OtherRun } from "./compare-requests.ts";

interface OtherRunChoiceProps {
  readonly others: readonly OtherRun[];
  /** The uid or name of the run in the address. */
  readonly chosen: string | undefined;
}

/** The newest other runs of the series. The choice is in the address. */
export function OtherRunChoice({ others, chosen = "" }: OtherRunChoiceProps) {
  const isOffered = chosen === "" || others.some((other) => valueOf(other) === chosen);
  return (
    <label>
      Compare with
      <select value={chosen} onChange={(event) => setParameters({ with: event.currentTarget.value }, "push")}>
        <option value="">the last good run</option>
        {isOffered ? null : <option value={chosen}>{shownText(chosen)}</option>}
        {others.map((other) => (
          <option key={valueOf(other)} value={valueOf(other)}>
            {textOf(other)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A run without an object has no uid. */
function valueOf({ uid, name }: OtherRun): string {
  return uid ?? name;
}

function textOf({ name, createdAt, verdict: { state } }: OtherRun): string {
  const created = millisOf(createdAt);
  return `${shownText(name)}: ${state}${created === undefined ? "" : `, ${localText(created)}`}`;
}
