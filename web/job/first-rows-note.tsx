import { number } from "../text/plural.ts";

interface FirstRowsNoteProps {
  readonly shown: number;
  readonly command: "history" | "jobs --run" | "pods";
}

/** Says that there are more rows, and which command reads all of them. */
export function FirstRowsNote({ shown, command }: FirstRowsNoteProps) {
  return (
    <p class="more-rows quiet">
      The first {number(shown)} are shown. `outlive {command} --limit 0` reads all of them.
    </p>
  );
}
