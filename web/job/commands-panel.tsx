import { useState } from "preact/hooks";
import { shownText } from "../text/shown-text.ts";
import { jobCommands } from "./job-commands.ts";
import type { OneJob } from "./one-job.ts";
import { Section } from "./section.tsx";

/** The same on the command line, to be copied. */
export function CommandsPanel({ job }: { readonly job: OneJob }) {
  const server = `${location.origin}${location.pathname}`.replace(/\/$/, "");
  return (
    <Section id="commands" title="The same on the command line">
      <div class="inside commands">
        {jobCommands(job, server).map((command) => (
          <Command key={command} command={command} />
        ))}
      </div>
    </Section>
  );
}

function Command({ command }: { readonly command: string }) {
  const [copied, setCopied] = useState<"not yet" | "copied" | "refused">("not yet");
  const copy = (): void =>
    void navigator.clipboard.writeText(command).then(
      () => setCopied("copied"),
      () => setCopied("refused"),
    );
  return (
    <div class="command">
      {/* It scrolls, so keys must reach it. */}
      <code tabIndex={0}>{shownText(command)}</code>
      <button type="button" onClick={copy} aria-label={`Copy: ${shownText(command)}`}>
        {copied === "copied" ? "Copied" : copied === "refused" ? "Select it" : "Copy"}
      </button>
    </div>
  );
}
