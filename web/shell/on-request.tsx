import type { ComponentChildren } from "preact";
import { DAY_MILLIS } from "../../src/job/model/instant.ts";
import { type Load, useLive } from "../api/live.ts";
import { SHOWN } from "../filters/active-filters.ts";
import { route, setParameters } from "./location.ts";
import { WithLive } from "./with-live.tsx";

/** The answer reads many Jobs, so it is not repeated. */
const ONCE = { everyMillis: DAY_MILLIS, repeats: () => false };

interface RequestedProps<Answer> {
  /** What is loaded, in a sentence: "the nodes". */
  readonly what: string;
  /** Identifies the request. */
  readonly of: string;
  readonly load: Load<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
}

interface OnRequestProps<Answer> extends RequestedProps<Answer> {
  /** The parameter of the address while the answer is shown. */
  readonly name: string;
  readonly showLabel: string;
  readonly hideLabel: string;
}

/** An answer that reads many Jobs: it is loaded only while a person has it open, which the address says. */
export function OnRequest<Answer>({ name, showLabel, hideLabel, ...requested }: OnRequestProps<Answer>) {
  const isOpen = route.value.parameters[name] === SHOWN;
  return (
    <>
      <p class="inside">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setParameters({ [name]: isOpen ? undefined : SHOWN }, "push")}
        >
          {isOpen ? hideLabel : showLabel}
        </button>
      </p>
      {isOpen ? <Requested {...requested} /> : null}
    </>
  );
}

function Requested<Answer>({ what, of, load, children }: RequestedProps<Answer>) {
  const live = useLive(of, load, ONCE).value;
  return (
    <WithLive live={live} what={what}>
      {children}
    </WithLive>
  );
}
