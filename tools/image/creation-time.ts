import { ImageBuildError } from "./image-build-error.ts";

/** The time of an image: SOURCE_DATE_EPOCH in seconds, or 1970, so that the image changes with its content only. */
export function creationTime({ SOURCE_DATE_EPOCH: seconds = "0" }: NodeJS.ProcessEnv): Date {
  if (/^\d{1,10}$/.test(seconds)) return new Date(Number(seconds) * 1000);
  throw new ImageBuildError(`SOURCE_DATE_EPOCH is "${seconds}". Set it to a number of seconds since 1970.`);
}
