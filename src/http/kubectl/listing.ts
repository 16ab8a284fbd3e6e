import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { humanDuration } from "../../job/text/human-duration.ts";
import type { KubeObject } from "./kube-object.ts";

/** A page of rows of one kind. */
export type RowsPage<Row> =
  | { readonly outcome: "listed"; readonly rows: readonly Row[]; readonly continueToken?: string | undefined }
  | { readonly outcome: "badToken"; readonly message: string };

/** Listed objects, which can also be shown as a Table. */
export interface Listing {
  readonly objects: readonly KubeObject[];
  readonly table: (options: TableOptions) => KubeTable;
  /** A listing with only the object at `index`. */
  readonly only: (index: number) => Listing;
  /** A listing without objects. */
  readonly none: () => Listing;
  /** Where the list continues. */
  readonly continueToken?: string | undefined;
}

/** How rows of one kind are shown. */
export interface RowFormat<Row> {
  readonly columns: readonly Column<Row>[];
  readonly show: (row: Row) => KubeObject;
}

export function listingOf<Row>(rows: readonly Row[], format: RowFormat<Row>, continueToken?: string): Listing {
  const { columns, show } = format;
  const shown = rows.map((row) => ({ row, object: show(row) }));
  return {
    objects: shown.map(({ object }) => object),
    table: (options) => tableOf({ columns, rows: shown }, options),
    only: (index) => listingOf(rows.slice(index, index + 1), format),
    none: () => listingOf([], format),
    ...(continueToken !== undefined && { continueToken }),
  };
}

/** One column of a `meta.k8s.io/v1` Table. Priority 1 is shown by `-o wide`. */
export interface Column<Row> {
  readonly name: string;
  readonly type: "string" | "integer";
  readonly priority: 0 | 1;
  readonly cell: (row: Row, now: Instant) => string | number;
}

export const NONE = "<none>";

export function column<Row>(name: string, cell: Column<Row>["cell"]): Column<Row> {
  return { name, type: "string", priority: 0, cell };
}

export function wide<Row>(name: string, cell: Column<Row>["cell"]): Column<Row> {
  return { name, type: "string", priority: 1, cell };
}

/** How long ago an instant was, as kubectl prints it. */
export function age(instant: string | undefined, now: Instant): string {
  const at = parseInstant(instant);
  return at === undefined ? NONE : humanDuration(now - at);
}

export interface TableOptions {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly now: Instant;
  /** `includeObject`: which part of each object is sent with its row. */
  readonly include: "None" | "Metadata" | "Object";
  /** Whether to define the columns. A watch defines them once. @default true */
  readonly headers?: boolean;
}

/** A `meta.k8s.io/v1` Table. */
export interface KubeTable {
  readonly rows: readonly unknown[];
  readonly [field: string]: unknown;
}

/** Rows with their objects. kubectl reads names and namespaces from the objects. */
interface TableSource<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly { readonly row: Row; readonly object: KubeObject }[];
}

function tableOf<Row>({ columns, rows }: TableSource<Row>, options: TableOptions): KubeTable {
  const { metadata, now, include, headers = true } = options;
  const definitions = columns.map(({ name, type, priority }) => ({
    name,
    type,
    format: name === "Name" ? "name" : "",
    description: "",
    priority,
  }));
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: headers ? definitions : null,
    rows: rows.map(({ row, object }) => ({
      cells: columns.map(({ cell }) => cell(row, now)),
      ...(include !== "None" && { object: include === "Object" ? object : partial(object) }),
    })),
  };
}

function partial({ metadata }: KubeObject): unknown {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
