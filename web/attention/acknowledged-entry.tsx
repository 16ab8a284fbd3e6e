import { useState } from "preact/hooks";
import type { Failed } from "../api/api-result.ts";
import { refresh } from "../api/live.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age, Moment } from "../text/moment.tsx";
import { AcknowledgeFailure } from "./acknowledge-form.tsx";
import { undoAcknowledgement } from "./attention-requests.ts";
import type { AttentionEntry } from "../../src/query/attention/attention.ts";
import { EntryText } from "./entry-text.tsx";

/** An entry that a person takes care of: who, since when, until when, and why. */
export function AcknowledgedEntry({ entry }: { readonly entry: AttentionEntry }) {
  const [state, setState] = useState<"idle" | "sending" | Failed>("idle");
  const undo = async (): Promise<void> => {
    setState("sending");
    const result = await undoAcknowledgement(entry);
    if (result.outcome !== "answered") return setState(result);
    refresh();
  };
  const { acknowledged } = entry;
  return (
    <li>
      <article class={`entry ${entry.severity}`} aria-labelledby={`entry-${entry.id}`}>
        <EntryText entry={entry} isNew={false} />
        <button type="button" class="bare entry-do no-print" disabled={state === "sending"} onClick={() => void undo()}>
          Undo
        </button>
        {acknowledged === undefined ? null : (
          <p class="acknowledge breaks">
            <span>
              Acknowledged by{" "}
              <b>
                <ClusterText text={acknowledged.by} />
              </b>{" "}
              <Age at={acknowledged.at} /> ago, until <Moment at={acknowledged.until} />
              {acknowledged.note === "" ? "." : ": "}
              <ClusterText text={acknowledged.note} />
            </span>
          </p>
        )}
        {typeof state === "string" ? null : <AcknowledgeFailure failure={state} />}
      </article>
    </li>
  );
}
