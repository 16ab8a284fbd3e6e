import { shownText } from "./shown-text.ts";

/** Text that came from a cluster. It is isolated, so that right-to-left text in it does not turn its neighbours around. */
export function ClusterText({ text }: { readonly text: string }) {
  return <bdi>{shownText(text)}</bdi>;
}
