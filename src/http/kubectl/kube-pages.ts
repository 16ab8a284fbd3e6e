import type { KubeContext } from "./kube-context.ts";
import type { KubeListOptions } from "./kube-request.ts";

export type RowsPage<Row> =
  | { readonly outcome: "listed"; readonly rows: readonly Row[]; readonly continueToken?: string | undefined }
  | { readonly outcome: "badToken"; readonly message: string };

/**
 * One page if the client sets a limit. Otherwise all objects, up to the maximum of one answer: a client without a limit
 * ignores continue tokens and would take the first page for everything (KEP-365).
 */
export async function pagesOf<Row>(
  { most }: Pick<KubeContext, "most">,
  options: KubeListOptions,
  read: (options: KubeListOptions) => Promise<RowsPage<Row>>,
): Promise<RowsPage<Row>> {
  const rows: Row[] = [];
  let { continueToken } = options;
  do {
    const page = await read({ ...options, continueToken });
    if (page.outcome === "badToken") return page;
    rows.push(...page.rows);
    ({ continueToken } = page);
  } while (options.whole && continueToken !== undefined && rows.length < most);
  return { outcome: "listed", rows, continueToken };
}
