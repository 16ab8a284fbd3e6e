import { useRef, useState } from "preact/hooks";
import { movedRow } from "../table/moved-row.ts";
import { Panel } from "../shell/panel.tsx";
import { number, plural } from "../text/plural.ts";
import { AcknowledgedEntry } from "./acknowledged-entry.tsx";
import type { AttentionList } from "./attention-lists.ts";
import { AttentionEntryRow } from "./attention-entry-row.tsx";
import { activeEntry } from "./active-entry.ts";
import { SeverityIcon } from "./severity-filter.tsx";
import { SEVERITY_TEXTS } from "./severities.ts";

/** The entries by severity. One of them is in the tab order; keys move to the others. */
export function AttentionSections({ lists }: { readonly lists: readonly AttentionList[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [notice, setNotice] = useState("");
  const ids = lists.flatMap(({ open }) => open.map(({ entry }) => entry.id));
  const active = ids.find((id) => id === activeEntry.value) ?? ids[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    const rows = entriesIn(box.current);
    const row = rows.findIndex((one) => one.contains(document.activeElement));
    const target = movedRow(event.key, { row, rowCount: rows.length, pageSize: PAGE });
    if (row < 0 || target === undefined) return;
    rows[target]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  const onAcknowledged = (id: string, text: string): void => {
    const rows = entriesIn(box.current);
    const row = ids.indexOf(id);
    (rows[row + 1] ?? rows[row - 1])?.focus();
    setNotice(text);
  };
  return (
    <div class="attention" ref={box} onKeyDown={onKeyDown}>
      <p class="only-read" role="status">
        {notice}
      </p>
      {lists.map((list) => (
        <AttentionSection key={list.severity} list={list} active={active} onAcknowledged={onAcknowledged} />
      ))}
    </div>
  );
}

/** How many entries the PageUp and PageDown keys move. */
const PAGE = 8;

function entriesIn(box: HTMLElement | null): readonly HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>(".entry[tabindex]") ?? [])];
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

interface AttentionSectionProps {
  readonly list: AttentionList;
  /** The entry in the tab order. */
  readonly active: string | undefined;
  readonly onAcknowledged: (id: string, text: string) => void;
}

function AttentionSection({ list, active, onAcknowledged }: AttentionSectionProps) {
  const { severity, open, acknowledged } = list;
  if (open.length + acknowledged.length === 0) return null;
  const { title, meaning } = SEVERITY_TEXTS[severity];
  const heading = (
    <>
      <SeverityIcon severity={severity} /> {title} <span class="quiet">{number(open.length)}</span>
    </>
  );
  return (
    <Panel id={`severity-${severity}`} title={heading} remark={meaning} long>
      <ul class="entries">
        {open.map((listed) => (
          <AttentionEntryRow
            key={listed.entry.id}
            listed={listed}
            isInTabOrder={listed.entry.id === active}
            onAcknowledged={onAcknowledged}
          />
        ))}
      </ul>
      {acknowledged.length === 0 ? null : (
        <details class="acknowledged">
          <summary>{plural(acknowledged.length, "acknowledged entry", "acknowledged entries")}</summary>
          <ul class="entries">
            {acknowledged.map((entry) => (
              <AcknowledgedEntry key={entry.id} entry={entry} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}
