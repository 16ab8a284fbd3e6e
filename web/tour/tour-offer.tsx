import { closeTour, goToStep, isDeclined, isDemo, tourStep } from "./tour.ts";
import { addressOf } from "./tour-steps.ts";

/** Offers the tour in a demo, until it was taken or declined in this browser. */
export function TourOffer() {
  if (!isDemo.value || isDeclined.value || tourStep.value !== undefined) return null;
  return (
    <section class="tour-offer" aria-label="Tour">
      <p>
        This is a demo. Clusters named <b>generated-…</b> do not exist; the others are recordings.
      </p>
      <a class="button" href={addressOf(1)} onClick={start}>
        Take the tour
      </a>
      <button type="button" class="bare" onClick={closeTour}>
        No tour
      </button>
    </section>
  );
}

function start(event: Event): void {
  event.preventDefault();
  goToStep(1);
}
