import { useEffect, useRef } from "preact/hooks";
import { closeTour, goToStep } from "./tour.ts";
import { TOUR_STEPS } from "./tour-steps.ts";

/** What to see in the view of a step. The page behind it stays usable: the panel is not modal. */
export function TourPanel({ step }: { readonly step: number }) {
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // An address such as /?tour=3 names no view.
    if (location.hash === "") goToStep(step);
    next.current?.focus();
  }, []);
  const { title = "", text = "" } = TOUR_STEPS[step - 1] ?? {};
  const isLast = step === TOUR_STEPS.length;
  return (
    <section class="tour" aria-labelledby="tour-step" onKeyDown={(event) => event.key === "Escape" && closeTour()}>
      <div aria-live="polite">
        <p class="quiet small" id="tour-step">
          Tour, step {step} of {TOUR_STEPS.length}
        </p>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div class="tour-tools">
        <button type="button" ref={next} class="main" onClick={() => (isLast ? closeTour() : goToStep(step + 1))}>
          {isLast ? "Finish" : "Next"}
        </button>
        <button type="button" disabled={step === 1} onClick={() => goToStep(step - 1)}>
          Back
        </button>
        <button type="button" class="bare" onClick={closeTour}>
          Close
        </button>
      </div>
    </section>
  );
}
