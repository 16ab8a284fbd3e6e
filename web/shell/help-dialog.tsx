import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export const helpIsOpen = signal(false);

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [["1", "…", "6"], "Attention, Jobs, Runs, CronJobs, Clusters, Summary"],
  [["/"], "search"],
  [["j", "k"], "next and previous row or entry (also arrow keys)"],
  [["Home", "End"], "first and last row"],
  [["Enter"], "open the row"],
  [["a"], "acknowledge an entry that needs attention"],
  [["u"], "back from the page of one object, or from a comparison"],
  [["r"], "refresh"],
  [["t"], "theme: system, light, dark"],
  [["Esc"], "leave a field or a dialog"],
  [["?"], "this help"],
];

export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpIsOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpIsOpen.value]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (helpIsOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="facts">
        {KEYS.flatMap(([keys, meaning]) => [
          <dt key={`${meaning} keys`}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={meaning}>{meaning}</dd>,
        ])}
      </dl>
      <p class="quiet">
        Every filter is part of the address, so you can share a view as a link. Times are in your time zone; point at
        one for UTC.
      </p>
      <p>
        <button type="button" onClick={() => (helpIsOpen.value = false)}>
          Close
        </button>
      </p>
    </dialog>
  );
}
