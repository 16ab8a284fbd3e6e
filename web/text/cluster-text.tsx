import { shownText } from "./shown-text.ts";

/** Text from a cluster. It is isolated, so that right-to-left text does not affect the text around it. */
export function ClusterText({ text }: { readonly text: string }) {
  return <bdi>{shownText(text)}</bdi>;
}
