/** The result of a request to the API. */
export type ApiResult<Answer> = { readonly outcome: "answered"; readonly answer: Answer; readonly at: number } | Failed;

export type Failed =
  | { readonly outcome: "refused"; readonly status: number; readonly title: string; readonly detail: string }
  | { readonly outcome: "unreachable"; readonly detail: string };

/** A page of a list, as the API returns it. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}
