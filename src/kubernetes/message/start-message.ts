import type {
  ImageProblem,
  MissingObject,
  MissingObjectDetails,
  StartProblem,
  VolumeProblem,
} from "../../job/model/message-details.ts";
import { isObjectName, type MessageOptions, type ParseMessage, withoutQuoted } from "./message-grammar.ts";

// Why a container is not started: its image, an object that is missing, its volumes, or the runtime.

/** Error texts of registries and container runtimes. The first match counts. */
const IMAGE_PROBLEMS: readonly (readonly [RegExp, ImageProblem])[] = [
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
  const problem = IMAGE_PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined ? undefined : { about: "image", problem };
};

const MISSING: readonly (readonly [RegExp, MissingObject])[] = [
  [/couldn't find key \S+ in ConfigMap (?:[^\s/]+\/)?(\S+)/i, "ConfigMap key"],
  [/couldn't find key \S+ in Secret (?:[^\s/]+\/)?(\S+)/i, "Secret key"],
  [/references non-existent config key: ()/i, "ConfigMap key"],
  [/references non-existent secret key: ()/i, "Secret key"],
  [/configmaps? "([^"]*)" not found/i, "ConfigMap"],
  [/secrets? "([^"]*)" not found/i, "Secret"],
  [/serviceaccounts? "([^"]*)" not found/i, "ServiceAccount"],
  [/persistentvolumeclaims? "([^"]*)" not found/i, "PersistentVolumeClaim"],
];

/** A missing ConfigMap, Secret or other object: `configmap "settings" not found`. */
export const parseMissingObjectMessage: ParseMessage = (message, options) => missingObjectIn(message, options);

function missingObjectIn(message: string, { names }: MessageOptions): MissingObjectDetails | undefined {
  for (const [pattern, object] of MISSING) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const name = match[1] ?? "";
    return { about: "missing", object, ...(names && isObjectName(name) && { name }) };
  }
  return undefined;
}

const VOLUME_PROBLEMS: readonly (readonly [RegExp, VolumeProblem])[] = [
  // The kubelet does not read ConfigMaps and Secrets for a Pod right after a restart, or once the Pod is being deleted.
  [/^(?:.* : )?object "[^"]*"\/"[^"]*" not registered/, "notRegistered"],
  [/not found in the list of registered CSI drivers|no volume plugin matched/, "driverMissing"],
  [/unknown filesystem type|mount\.\w+ helper/i, "driverMissing"],
  [/hostPath type check failed|special device .* does not exist|no such file or directory/i, "pathMissing"],
  [/access denied by server|permission denied|operation not permitted/i, "accessDenied"],
  [/Multi-Attach|already (?:used|exclusively attached)/i, "inUse"],
  [/timed? ?out|deadline ?exceeded/i, "timeout"],
  [/AttachVolume|failed to attach|unable to attach/i, "attachFailed"],
  [/./s, "mountFailed"],
];

/**
 * Why a volume could not be attached or mounted: `MountVolume.SetUp failed for volume "s" : secret "keys" not found`.
 */
export const parseVolumeMessage: ParseMessage = (message, options) => {
  const missing = missingObjectIn(message, options);
  if (missing !== undefined) return missing;
  const problem = VOLUME_PROBLEMS.find(([pattern]) => pattern.test(message))?.[1];
  return problem === undefined ? undefined : { about: "volume", problem };
};

const START_PROBLEMS: readonly (readonly [RegExp, StartProblem])[] = [
  [/runAsNonRoot|non-root policy|image will run as root/, "runsAsRoot"],
  [/(?:seccomp|apparmor) profile/i, "profileMissing"],
  [/no matching entries in (?:passwd|group) file|unable to find (?:user|group)/, "userMissing"],
  [/sandbox image/, "sandboxImage"],
  [/assign an IP address|no IP addresses|IP address(?:es)? (?:are |is )?exhausted/i, "noAddress"],
  [/unable to set memory limit|memory limit too low|container init was OOM-killed/i, "limitTooLow"],
  [/missing value for /, "variableMissing"],
  [/reserve (?:container|sandbox) name|name .* is (?:already in use|reserved)/i, "nameInUse"],
  [/no space left on device|disk quota exceeded/i, "diskFull"],
  [/no runtime for|runtime handler|unknown runtime/i, "noRuntimeHandler"],
  [/does not support|not supported/i, "unsupported"],
  [/chdir to cwd|container init: mkdir /i, "workingDir"],
  [/no command specified/i, "noCommand"],
  [/exec format error/i, "wrongFormat"],
  [/permission denied|operation not permitted/i, "permissionDenied"],
  [/CDI device|unresolvable.*device|error gathering device|nvidia-container-cli/i, "device"],
  [/failed to (?:generate|stat|mkdir)/, "mountFailed"],
  [/error mounting|not a directory|mount/i, "mountFailed"],
  [/executable file not found|no such file or directory|not found in \$PATH/i, "programNotFound"],
  [/network|\bcni\b/i, "network"],
  [/connection refused|transport is closing|dial unix|is not running|code = Unavailable/i, "runtimeUnavailable"],
  [/deadline ?exceeded|timed? ?out/i, "timeout"],
];

/** Why a container or a sandbox could not be created or started. The program's name and arguments are left out. */
export const parseStartMessage: ParseMessage = (message, options) => {
  const missing = missingObjectIn(message, options);
  if (missing !== undefined) return missing;
  const text = withoutQuoted(message);
  const problem = START_PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined ? undefined : { about: "start", problem };
};
