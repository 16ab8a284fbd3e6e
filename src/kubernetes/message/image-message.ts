import type { ImageProblem } from "../../job/model/message-details.ts";
import { type ParseMessage, withoutQuoted } from "./message-grammar.ts";

/** Error texts of registries and container runtimes. The first match counts. */
const PROBLEMS: readonly (readonly [RegExp, ImageProblem])[] = [
  [/invalid reference format|couldn't parse image (?:name|reference)|InvalidImageName|short-?name/i, "invalidName"],
  [/not present with pull policy of Never/, "notPresent"],
  [/toomanyrequests|too many requests|rate limit|429/i, "rateLimited"],
  [
    /unauthorized|authentication required|authorization failed|forbidden|denied|\b40[13]\b|no basic auth/i,
    "unauthorized",
  ],
  [/no match for platform|no matching manifest|exec format/i, "noMatchingPlatform"],
  [/no space left on device/i, "diskFull"],
  [
    /no such host|connection refused|no route to host|network is unreachable|server misbehaving|tls:|x509:/i,
    "unreachable",
  ],
  [/HTTP response to HTTPS|\b50[0234]\b/, "unreachable"],
  [/i\/o timeout|deadline ?exceeded|timed? ?out|Client\.Timeout/i, "timeout"],
  [/not found|manifest unknown|does not exist|NotFound/i, "notFound"],
  [/dial tcp|connection reset|\bEOF\b/i, "unreachable"],
];

/** Why an image could not be pulled, from the registry's error. The name of the image is left out. */
export const parseImageMessage: ParseMessage = (message) => {
  const text = withoutQuoted(message);
  const problem = PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined ? undefined : { about: "image", problem };
};
