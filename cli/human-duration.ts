export { humanDuration } from "../src/job/human-duration.ts";
