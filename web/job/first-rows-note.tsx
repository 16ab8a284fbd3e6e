import { number } from "../text/plural.ts";

/** Says that there are more rows, and which command reads all of them. */
export function FirstRowsNote({ shown, command }: { readonly shown: number; readonly command: "history" | "pods" }) {
  return (
    <p class="more-rows quiet">
      The first {number(shown)} are shown. `outlive {command} --limit 0` reads all of them.
    </p>
  );
}
