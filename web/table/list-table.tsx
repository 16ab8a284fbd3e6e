import { useMemo } from "preact/hooks";
import { route } from "../shell/location.ts";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { ColumnsMenu } from "./columns-menu.tsx";
import { DownloadMenu, type DownloadMenuProps } from "./download-menu.tsx";
import type { ListColumn } from "./list-column.ts";
import { isChosen, type OfferedColumns, shownColumns, widthOf } from "./shown-columns.ts";
import type { Sort } from "./sort.ts";
import { useSorting } from "./use-sorting.ts";
import { VirtualTable, type VirtualTableProps } from "./virtual-table.tsx";

type Downloads = Pick<DownloadMenuProps<never>, "name" | "noun" | "more" | "command">;

interface ListTableProps<Row>
  extends Downloads, Pick<VirtualTableProps<Row>, "rows" | "keyOf" | "onOpen" | "onNearEnd"> {
  /** What the table lists: "Jobs". */
  readonly label: string;
  readonly offered: OfferedColumns<Row>;
  /** The orders that the server has. */
  readonly server?: ReadonlySet<string>;
  /** The order of the address without a parameter. */
  readonly standard: Sort;
  /** Whether every row that matches is loaded. */
  readonly isComplete: boolean;
  /** Rows are being loaded. */
  readonly isBusy: boolean;
  readonly remark: string;
  readonly loadMore: (() => void) | undefined;
  readonly loadAll: { readonly most: number; readonly load: () => void } | undefined;
}

/** The main table of a view: its columns, its order and its download. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, offered, server, standard, isComplete, isBusy } = props;
  const chosen = route.value.parameters["columns"];
  const columns = useMemo(() => shownColumns(chosen, offered), [chosen, offered]);
  // A column of a label is offered by the rows, and is known once it is shown.
  const known = useMemo(() => [...offered.columns, ...columns], [columns, offered]);
  const sortable = { rows: props.rows, columns: known, server, standard, isComplete };
  const { rows, sorting, ignored } = useSorting<Row>(sortable);
  return (
    <section class="panel" aria-label={label} aria-busy={isBusy}>
      <ListHead {...props} columns={columns} sorted={rows} ignored={ignored} />
      <VirtualTable
        label={label}
        rows={rows}
        columns={columns}
        keyOf={props.keyOf}
        onOpen={props.onOpen}
        height="page-tall"
        onNearEnd={props.onNearEnd}
        sorting={sorting}
        minRem={isChosen(columns, offered) ? widthOf(columns) : undefined}
      />
    </section>
  );
}

interface ListHeadProps<Row> extends ListTableProps<Row> {
  readonly columns: readonly ListColumn<Row>[];
  readonly sorted: readonly Row[];
  readonly ignored: Sort | undefined;
}

/** How many rows there are, and what can be done with them. */
function ListHead<Row>({ columns, sorted, ignored, ...props }: ListHeadProps<Row>) {
  const { noun, offered, isBusy, remark, loadMore, loadAll } = props;
  return (
    <header class="list-head">
      <h1 aria-live="polite">{props.more ? `${number(sorted.length)}+ ${noun}s` : plural(sorted.length, noun)}</h1>
      <span class="quiet">
        {remark}
        {ignored === undefined ? "" : ` Not sorted by ${shownText(ignored.by)}: not all rows are loaded.`}
      </span>
      {loadMore === undefined ? null : (
        <button type="button" disabled={isBusy} onClick={loadMore}>
          Load more
        </button>
      )}
      <div class="list-tools no-print">
        <ColumnsMenu offered={offered} rows={props.rows} />
        <DownloadMenu
          {...props}
          rows={sorted}
          columns={columns}
          loadAll={loadAll && { ...loadAll, isLoading: isBusy }}
        />
      </div>
    </header>
  );
}
