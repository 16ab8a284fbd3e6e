import type { TextParts } from "../streams/answer-body.ts";
import { type ListPart, listText, startingWith } from "../streams/list-text.ts";
import { answerKubernetes, type KubeAnswer } from "./answer-kubernetes.ts";
import { itemsOf, showList } from "./kube-shape.ts";
import type { KubeQuestion } from "./watch/answer-watch.ts";

export type WholeList =
  | { readonly outcome: "listed"; readonly parts: TextParts }
  | Extract<KubeAnswer, { readonly outcome: "refused" }>;

/** Objects that are read at once. Each has about 3 kB. */
const PAGE = 100;
/** The end of a list. Its last field contains objects, or the rows of a Table. */
const END = "]}";

/**
 * A list without a limit, sent while it is read. A client without a limit ignores continue tokens, and would take the
 * first page for everything (KEP-365).
 */
export async function wholeList(question: KubeQuestion): Promise<WholeList> {
  const first = await pageAfter(question, undefined);
  if (first.outcome === "refused") return first;
  const { kubeContext, path, shape } = question;
  const empty = JSON.stringify(showList(first.listing.none(), path.resource, { shape, now: kubeContext.now }));
  let { continueToken } = first.listing;
  const nextPage = startingWith<KubeAnswer>(first, () => pageAfter(question, continueToken));
  const nextPart = async (): Promise<ListPart> => {
    const page = await nextPage();
    if (page.outcome === "refused") throw new Error(`Cannot continue the list: ${page.status.message}`);
    ({ continueToken } = page.listing);
    const items = itemsOf(page.listing, { shape, now: kubeContext.now });
    return continueToken === undefined ? { items, end: END } : { items };
  };
  return { outcome: "listed", parts: listText(empty.slice(0, -END.length), nextPart) };
}

function pageAfter(
  { kubeContext, path, options }: KubeQuestion,
  continueToken: string | undefined,
): Promise<KubeAnswer> {
  return answerKubernetes(kubeContext, path, { ...options, whole: false, limit: PAGE, continueToken });
}
