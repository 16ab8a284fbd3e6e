import { Disclosure } from "../controls/disclosure.tsx";
import { route, setParameters } from "../shell/location.ts";
import { shownText } from "../text/shown-text.ts";
import type { ListColumn } from "./list-column.ts";
import { labelColumnId, labelKeys, type OfferedColumns, shownColumns, toggledColumns } from "./shown-columns.ts";

interface ColumnsMenuProps<Row> {
  readonly offered: OfferedColumns<Row>;
  readonly rows: readonly Row[];
}

/** More keys than that are rarely of interest. The address takes any key. */
const MOST_KEYS = 12;

/** Which columns a list shows. They are in the address. */
export function ColumnsMenu<Row>({ offered, rows }: ColumnsMenuProps<Row>) {
  return <Disclosure label="Columns">{() => <ColumnChoices offered={offered} rows={rows} />}</Disclosure>;
}

function ColumnChoices<Row>({ offered, rows }: ColumnsMenuProps<Row>) {
  const text = route.value.parameters["columns"];
  const shown = shownColumns(text, offered).map(({ id }) => id);
  const keys = labelKeys(rows, offered).slice(0, MOST_KEYS);
  const others = shown.filter((id) => !offered.columns.some((column) => column.id === id));
  const labels = [...new Set([...others, ...keys.map(labelColumnId)])];
  const toggle = (id: string): void => setParameters({ columns: toggledColumns(text, offered, id) }, "push");
  return (
    <>
      <ul class="checks">
        {offered.columns.map((column) => (
          <ColumnChoice
            key={column.id}
            column={column}
            isShown={shown.includes(column.id)}
            onToggle={() => toggle(column.id)}
          />
        ))}
      </ul>
      {labels.length === 0 ? null : <LabelChoices ids={labels} shown={shown} onToggle={toggle} />}
      <p class="quiet small only-narrow">A narrow screen shows the first columns only, until you choose.</p>
      {text === undefined ? null : (
        <button type="button" onClick={() => setParameters({ columns: "" }, "push")}>
          Standard columns
        </button>
      )}
    </>
  );
}

interface LabelChoicesProps {
  readonly ids: readonly string[];
  readonly shown: readonly string[];
  readonly onToggle: (id: string) => void;
}

function LabelChoices({ ids, shown, onToggle }: LabelChoicesProps) {
  return (
    <fieldset>
      <legend>Labels</legend>
      <ul class="checks">
        {ids.map((id) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={shown.includes(id)} onChange={() => onToggle(id)} />
              <bdi class="mono">{shownText(id.slice(id.indexOf(":") + 1))}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface ColumnChoiceProps {
  readonly column: Pick<ListColumn<never>, "header" | "shown" | "cost">;
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

function ColumnChoice({ column: { header, shown, cost }, isShown, onToggle }: ColumnChoiceProps) {
  return (
    <li>
      <label>
        <input type="checkbox" checked={isShown} disabled={shown === "always"} onChange={onToggle} />
        <span>
          {header}
          {cost === undefined ? null : <span class="cost quiet small">{cost}</span>}
        </span>
      </label>
    </li>
  );
}
