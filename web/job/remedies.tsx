import { shownText } from "../text/shown-text.ts";

/** How to fix a problem, as a list of actions. */
export function Remedies({ remedies }: { readonly remedies: readonly string[] }) {
  return (
    <ul class="remedies">
      {remedies.map((remedy) => (
        <li key={remedy}>{shownText(remedy)}</li>
      ))}
    </ul>
  );
}
