import { CopyButton } from "./copy-button.tsx";
import { shownText } from "../text/shown-text.ts";

/** A command to copy. */
export function Command({ command }: { readonly command: string }) {
  return (
    <div class="command">
      {/* It scrolls, so the keyboard must reach it. */}
      <code tabIndex={0}>{shownText(command)}</code>
      <CopyButton text={command} label="Copy" spokenLabel={`Copy: ${shownText(command)}`} />
    </div>
  );
}
