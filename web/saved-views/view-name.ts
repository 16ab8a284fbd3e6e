import { type Route, formatRoute } from "../shell/route.ts";

/** The most characters of a name. */
export const MOST_NAME_LENGTH = 60;

/** The name that a shared link gives its view. It is text from anybody. */
export function viewName({ parameters }: Pick<Route, "parameters">): string | undefined {
  const name = Array.from((parameters["view"] ?? "").trim())
    .slice(0, MOST_NAME_LENGTH)
    .join("")
    .trim();
  return name === "" ? undefined : name;
}

/** The link of a view, without its name. */
export function linkOf(route: Route): string {
  const { view: _view, ...parameters } = route.parameters;
  return formatRoute({ ...route, parameters });
}

/** The link of a view with its name, to share. */
export function namedLink(route: Route, name: string): string {
  const { view: _view, ...parameters } = route.parameters;
  const named = viewName({ parameters: { view: name } });
  return formatRoute({ ...route, parameters: named === undefined ? parameters : { ...parameters, view: named } });
}
