import { useRef, useState } from "preact/hooks";
import { AcknowledgeForm } from "./acknowledge-form.tsx";
import { activeEntry } from "./active-entry.ts";
import type { ListedEntry } from "./attention-lists.ts";
import { entryLinks } from "./entry-links.ts";
import { EntryText } from "./entry-text.tsx";

interface AttentionEntryRowProps {
  readonly listed: ListedEntry;
  readonly isInTabOrder: boolean;
  readonly onAcknowledged: (id: string, text: string) => void;
}

/** One entry. Enter opens it, and `a` acknowledges it. */
export function AttentionEntryRow({ listed, isInTabOrder, onAcknowledged }: AttentionEntryRowProps) {
  const { entry, isNew } = listed;
  const row = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { opens } = entryLinks(entry);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== row.current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && opens !== undefined) location.hash = opens;
    else if (event.key === "a") setOpen(true);
    else return;
    event.preventDefault();
  };
  const close = (): void => {
    setOpen(false);
    row.current?.focus();
  };
  return (
    <li>
      <article
        ref={row}
        class={`entry ${entry.severity}${isNew ? " is-new" : ""}`}
        aria-labelledby={`entry-${entry.id}`}
        tabIndex={isInTabOrder ? 0 : -1}
        onKeyDown={onKeyDown}
        onFocusIn={() => (activeEntry.value = entry.id)}
      >
        <EntryText entry={entry} isNew={isNew} />
        <button type="button" class="bare entry-do no-print" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Acknowledge<span class="only-read"> {entry.group?.name ?? entry.newest?.name}</span>
        </button>
        {isOpen ? (
          <AcknowledgeForm entry={entry} onCancel={close} onDone={(text) => onAcknowledged(entry.id, text)} />
        ) : null}
      </article>
    </li>
  );
}
