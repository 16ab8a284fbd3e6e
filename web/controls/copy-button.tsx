import { useState } from "preact/hooks";
import { shownText } from "../text/shown-text.ts";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** @default label */
  readonly spokenLabel?: string;
}

/** Copies a text. Pages without TLS, except on this machine, have no clipboard: then the text is shown to select it. */
export function CopyButton({ text, label, spokenLabel = label }: CopyButtonProps) {
  const [result, setResult] = useState<{ readonly text: string; readonly isCopied: boolean } | undefined>(undefined);
  const shown = result?.text === text ? result : undefined;
  const copy = (): void => void copied(text).then((isCopied) => setResult({ text, isCopied }));
  return (
    <>
      <button type="button" onClick={copy} aria-label={shown?.isCopied === true ? undefined : spokenLabel}>
        {shown?.isCopied === true ? "Copied" : label}
      </button>
      <span role="status">
        {shown?.isCopied === false ? (
          <code class="breaks select-all" tabIndex={0}>
            {shownText(text)}
          </code>
        ) : null}
      </span>
    </>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard, or the reader refused it.
    return false;
  }
}
