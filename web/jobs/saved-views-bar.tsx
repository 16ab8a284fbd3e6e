import { useState } from "preact/hooks";
import { Icon } from "../shell/icon.tsx";
import { place } from "../shell/location.ts";
import { linkTo, textOfPlace } from "../shell/place.ts";
import { forgetView, saveView, savedViews } from "./saved-views.ts";

/** Views that most people want, and the reader's own. */
export function SavedViewsBar() {
  const [name, setName] = useState<string | undefined>(undefined);
  const save = (event: Event): void => {
    event.preventDefault();
    if (name?.trim()) saveView({ name: name.trim(), link: textOfPlace(place.value) });
    setName(undefined);
  };
  return (
    <section class="saved no-print" aria-label="Saved views">
      {STANDARD.map((view) => (
        <span class="chip" key={view.name}>
          <a href={view.link}>{view.name}</a>
        </span>
      ))}
      {savedViews.value.map((view) => (
        <span class="chip" key={view.name}>
          <a href={view.link}>{view.name}</a>
          <button
            type="button"
            class="bare"
            aria-label={`Forget view ${view.name}`}
            onClick={() => forgetView(view.name)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {name === undefined ? (
        <button type="button" class="bare" onClick={() => setName("")}>
          Save this view…
        </button>
      ) : (
        <form onSubmit={save}>
          <label>
            <span class="only-read">Name of the view</span>
            <input
              value={name}
              placeholder="Name"
              maxLength={60}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>{" "}
          <button type="submit">Save</button>
        </form>
      )}
    </section>
  );
}

const STANDARD = [
  { name: "All Jobs", link: linkTo("jobs") },
  { name: "Failed in 24 h", link: linkTo("jobs", [], { state: "Failed", created: "24h" }) },
  { name: "Running", link: linkTo("jobs", [], { state: "Running,Pending" }) },
];
