import { isBackFromIssuer } from "./ask/oidc.ts";
import { askJobAhead } from "./job/job-question.ts";
import { jobOf, placeOf } from "./shell/place.ts";

// Runs before the page's own script is there: what the view of a Job asks first is under way while the view is still loaded.
const place = placeOf(location.hash);
if (place.view === "job" && !isBackFromIssuer()) askJobAhead(jobOf(place), place.parameters["asOf"]);
