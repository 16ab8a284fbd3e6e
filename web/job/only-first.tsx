import { number } from "../text/plural.ts";

/** Said where more is known than a page holds: the command that reads all of it. */
export function OnlyFirst({ shown, command }: { readonly shown: number; readonly command: "history" | "pods" }) {
  return (
    <p class="more-rows quiet">
      The first {number(shown)} are shown. `outlive {command} --limit 0` reads all of them.
    </p>
  );
}
