import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tourStep } from "./tour.ts";

/** Where the tour is shown. Its panel is loaded when the tour begins. */
export function TourPlace() {
  const step = tourStep.value;
  const isOpen = step !== undefined;
  const [Panel, setPanel] = useState<ComponentType<{ readonly step: number }> | undefined>(undefined);
  useEffect(() => {
    if (!isOpen) return;
    import("./tour-panel.tsx").then(
      ({ TourPanel }) => setPanel(() => TourPanel),
      () => location.reload(),
    );
  }, [isOpen]);
  return isOpen && Panel !== undefined ? <Panel step={step} /> : null;
}
