import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

export interface DisclosureProps {
  readonly label: string;
  readonly class?: string;
  /** `close` closes the content and focuses the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that shows its content below it. Escape, and a click elsewhere, hide it. */
export function Disclosure({ label, class: css = "", children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useClickElsewhere(isOpen, frame, () => setOpen(false));
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isOpen) return;
    close();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`disclosure ${css}`} ref={frame} onKeyDown={onKeyDown}>
      <button ref={button} type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      <div id={id} class="drop" hidden={!isOpen} role="group" aria-label={label}>
        {isOpen ? children(close) : null}
      </div>
    </div>
  );
}

function useClickElsewhere(
  isActive: boolean,
  frame: { readonly current: HTMLElement | null },
  onClick: () => void,
): void {
  useEffect(() => {
    if (!isActive) return;
    const stop = new AbortController();
    const onPointerDown = ({ target }: Event): void => {
      if (target instanceof Node && frame.current?.contains(target) !== true) onClick();
    };
    addEventListener("pointerdown", onPointerDown, { signal: stop.signal });
    return () => stop.abort();
  }, [isActive]);
}
