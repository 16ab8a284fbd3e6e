import { CopyButton } from "../controls/copy-button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { download } from "./download.ts";
import type { ListColumn } from "./list-column.ts";
import { rowsAsCsv, rowsAsJson } from "./rows-as-file.ts";

export interface DownloadMenuProps<Row> {
  /** The file's name begins with it. */
  readonly name: string;
  /** What a row is: "Job". */
  readonly noun: string;
  /** As they are shown: filtered, searched and sorted. */
  readonly rows: readonly Row[];
  readonly columns: readonly ListColumn<Row>[];
  /** Loads rows that are missing. Absent if all rows are loaded, or if the page loads no more. */
  readonly loadAll?: { readonly most: number; readonly isLoading: boolean; readonly load: () => void } | undefined;
  /** Whether more rows match than are loaded. */
  readonly more: boolean;
  /** The command that prints the same list, with its own columns. */
  readonly command: string;
}

/** The shown rows and columns as a file. */
export function DownloadMenu<Row>(props: DownloadMenuProps<Row>) {
  return <Disclosure label="Download">{(close) => <Downloads {...props} onSaved={close} />}</Disclosure>;
}

function Downloads<Row>({
  name,
  noun,
  rows,
  columns,
  loadAll,
  more,
  command,
  onSaved,
}: DownloadMenuProps<Row> & { readonly onSaved: () => void }) {
  const what = more ? `${number(rows.length)} loaded ${rows.length === 1 ? "row" : "rows"}` : plural(rows.length, noun);
  const save = (form: "csv" | "json"): void => {
    const text = form === "csv" ? rowsAsCsv(rows, columns) : rowsAsJson(rows, columns);
    download(fileName(name, form, new Date()), form === "csv" ? "text/csv" : "application/json", text);
    onSaved();
  };
  return (
    <div class="downloads">
      <button type="button" onClick={() => save("csv")}>
        CSV of {what}
      </button>
      <button type="button" onClick={() => save("json")}>
        JSON of {what}
      </button>
      {loadAll === undefined ? null : (
        <button type="button" disabled={loadAll.isLoading} onClick={loadAll.load}>
          {loadAll.isLoading ? "Loading…" : `Load up to ${number(loadAll.most)} first`}
        </button>
      )}
      <p class="quiet small">
        The shown columns, with exact values: times in UTC, spans in seconds. Or run a command with its own columns:
      </p>
      <div class="command">
        {/* It scrolls, so the keyboard must reach it. */}
        <code tabIndex={0}>{shownText(command)}</code>
        <CopyButton text={command} label="Copy" spokenLabel="Copy the command" />
      </div>
    </div>
  );
}

/** `outlive-jobs-20261129T072313Z.csv`: colons are not allowed in file names everywhere. */
function fileName(name: string, form: string, at: Date): string {
  return `outlive-${name}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.${form}`;
}
