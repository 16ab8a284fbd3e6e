import type { ImageProblem } from "../../job/model/message-details.ts";
import type { ParseMessage } from "./message-grammar.ts";

/** What registries and container runtimes answer; the first that matches decides. */
const PROBLEMS: readonly (readonly [RegExp, ImageProblem])[] = [
  [/invalid reference format|couldn't parse image (?:name|reference)|InvalidImageName/i, "invalidName"],
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
  [/i\/o timeout|deadline exceeded|timed? ?out|Client\.Timeout/i, "timeout"],
  [/not found|manifest unknown|does not exist|NotFound/i, "notFound"],
  [/dial tcp|connection reset|\bEOF\b/i, "unreachable"],
];

/** Why an image could not be pulled, from the answer of the registry. The image's name stays out. */
export const parseImageMessage: ParseMessage = (message) => {
  const said = withoutQuoted(message);
  const problem = PROBLEMS.find(([pattern]) => pattern.test(said))?.[1];
  return problem === undefined ? undefined : { about: "image", problem };
};

/** Names of images stand in quotes, and may hold any of the words. */
function withoutQuoted(message: string): string {
  return message.replaceAll(/"[^"]*"/g, '""');
}
