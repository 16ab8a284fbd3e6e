import { useEffect, useRef, useState } from "preact/hooks";
import type { Failed } from "../api/api-result.ts";
import { refresh } from "../api/live.ts";
import { shownText } from "../text/shown-text.ts";
import { acknowledge } from "./attention-requests.ts";
import type { AttentionEntry } from "../../src/query/attention/attention.ts";
import { EXPIRIES, EXPIRY_TEXTS, type Expiry, untilOf } from "./acknowledge-until.ts";

interface AcknowledgeFormProps {
  readonly entry: AttentionEntry;
  readonly onCancel: () => void;
  /** With a sentence for screen readers. */
  readonly onDone: (text: string) => void;
}

/** Asks for a note and an expiry. After a failure, both stay as they were typed. */
export function AcknowledgeForm({ entry, onCancel, onDone }: AcknowledgeFormProps) {
  const [note, setNote] = useState("");
  const [expiry, setExpiry] = useState<Expiry>(STANDARD_EXPIRY);
  const [state, setState] = useState<"typing" | "sending" | Failed>("typing");
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState("sending");
    const result = await acknowledge(entry, { note: note.trim(), until: untilOf(expiry, Date.now()) });
    if (result.outcome !== "answered") return setState(result);
    onDone(`Acknowledged, ${EXPIRY_TEXTS[expiry]}.`);
    refresh();
  };
  return (
    <form class="acknowledge" onSubmit={(event) => void send(event)} onKeyDown={onEscape(onCancel)}>
      <NoteField note={note} onInput={setNote} />
      <ExpiryField expiry={expiry} onChange={setExpiry} />
      <button type="submit" class="main" disabled={state === "sending"}>
        Acknowledge
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      {typeof state === "string" ? null : <AcknowledgeFailure failure={state} />}
    </form>
  );
}

interface NoteFieldProps {
  readonly note: string;
  readonly onInput: (note: string) => void;
}

function NoteField({ note, onInput }: NoteFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label class="field">
      Note
      <input
        ref={field}
        value={note}
        maxLength={MAX_NOTE}
        required
        placeholder="Who works on it, a ticket …"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

interface ExpiryFieldProps {
  readonly expiry: Expiry;
  readonly onChange: (expiry: Expiry) => void;
}

function ExpiryField({ expiry, onChange }: ExpiryFieldProps) {
  const choose = (text: string): void => onChange(EXPIRIES.find((one) => one === text) ?? STANDARD_EXPIRY);
  return (
    <label class="field">
      How long
      <select value={expiry} onChange={(event) => choose(event.currentTarget.value)}>
        {EXPIRIES.map((one) => (
          <option key={one} value={one}>
            {EXPIRY_TEXTS[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

const STANDARD_EXPIRY = "8h";
const MAX_NOTE = 500;

function onEscape(cancel: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
}

/** The API's own message says which grant is missing. */
export function AcknowledgeFailure({ failure }: { readonly failure: Failed }) {
  return (
    <p class="acknowledge-failure breaks" role="alert">
      <b>{failure.outcome === "refused" ? shownText(failure.title) : "Not acknowledged"}.</b>{" "}
      {shownText(failure.detail)}
    </p>
  );
}
