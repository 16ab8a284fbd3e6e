import { useState } from "preact/hooks";
import { shownText } from "../text/shown-text.ts";
import { jobCommands } from "./job-commands.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { Section } from "./section.tsx";

/** The equivalent commands, to copy. */
export function CommandsPanel({ job }: { readonly job: JobWithGenerations }) {
  const server = `${location.origin}${location.pathname}`.replace(/\/$/, "");
  return (
    <Section id="commands" title="Commands">
      <div class="inside commands">
        {jobCommands(job, server).map((command) => (
          <Command key={command} command={command} />
        ))}
      </div>
    </Section>
  );
}

function Command({ command }: { readonly command: string }) {
  const [copied, setCopied] = useState<"ready" | "copied" | "failed">("ready");
  const copy = (): void =>
    void navigator.clipboard.writeText(command).then(
      () => setCopied("copied"),
      () => setCopied("failed"),
    );
  return (
    <div class="command">
      {/* It scrolls, so the keyboard must reach it. */}
      <code tabIndex={0}>{shownText(command)}</code>
      <button type="button" onClick={copy} aria-label={`Copy: ${shownText(command)}`}>
        {copied === "copied" ? "Copied" : copied === "failed" ? "Select and copy it" : "Copy"}
      </button>
    </div>
  );
}
