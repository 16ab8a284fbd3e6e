import type { DebianPackage } from "./debian-packages.ts";
import { ImageBuildError } from "./image-build-error.ts";
import type { LayerEntry } from "./pack-layer.ts";

/** The user of the process. The id is that of `nonroot` in other images without a shell. */
export const USER = 65_532;
/** The working folder of the process, and the place of its volume. */
export const DATA_FOLDER = "var/lib/outlive";

const NOTHING = /^$/;
const CERTIFICATE = /^usr\/share\/ca-certificates\/.*\.crt$/;

/**
 * The files of each Debian package that the image has, besides its copyright: what the binary of Node is linked with,
 * time zones, and the certificates, which become one file.
 */
export const TAKEN_FILES: Readonly<Record<string, RegExp>> = {
  "base-files": /^usr\/(lib\/os-release|share\/common-licenses\/.+)$/,
  "ca-certificates": NOTHING,
  // The copyright of the next two.
  "gcc-14-base": NOTHING,
  "libgcc-s1": /^usr\/lib\/[^/]+\/libgcc_s\.so/,
  "libstdc++6": /^usr\/lib\/[^/]+\/libstdc\+\+\.so/,
  libc6: /^usr\/lib(64)?\/([^/]+\/)?(ld-linux[^/]*|lib(c|dl|m|pthread)\.so\.\d)$/,
  tzdata: /^usr\/share\/zoneinfo\//,
};

const TEXTS = {
  "etc/passwd": [
    "root:x:0:0:root:/root:/sbin/nologin",
    `outlive:x:${USER}:${USER}:outlive:/${DATA_FOLDER}:/sbin/nologin`,
  ],
  "etc/group": ["root:x:0:", `outlive:x:${USER}:`],
  "etc/nsswitch.conf": ["hosts: files dns"],
} as const;

/** The C library, certificates, time zones and the user. It changes with Debian's updates only. */
export function baseLayer(packages: readonly DebianPackage[]): readonly LayerEntry[] {
  return [
    { type: "folder", path: "tmp", mode: 0o1777, owner: 0 },
    { type: "folder", path: DATA_FOLDER, mode: 0o755, owner: USER },
    { type: "link", path: "lib", target: "usr/lib" },
    { type: "link", path: "lib64", target: "usr/lib64" },
    { type: "link", path: "etc/os-release", target: "../usr/lib/os-release" },
    ...Object.entries(TEXTS).map(([path, lines]) => textFile(path, lines)),
    certificates(packages),
    ...packages.flatMap(filesOf),
    // Where scanners for vulnerabilities look for the packages of images without dpkg.
    ...packages.map(({ name, control }): LayerEntry => ({
      type: "file",
      path: `var/lib/dpkg/status.d/${name}`,
      bytes: control,
    })),
  ];
}

function textFile(path: string, lines: readonly string[]): LayerEntry {
  return { type: "file", path, bytes: Buffer.from(`${lines.join("\n")}\n`) };
}

/** All certificates in one file, as `update-ca-certificates` writes it. */
function certificates(packages: readonly DebianPackage[]): LayerEntry {
  const found = packages
    .flatMap(({ files }) => files)
    .filter(({ header }) => CERTIFICATE.test(pathOf(header.name)))
    .toSorted((one, other) => (one.header.name < other.header.name ? -1 : 1))
    .map(({ data }) =>
      Buffer.from(data ?? [])
        .toString("ascii")
        .trim(),
    );
  return textFile("etc/ssl/certs/ca-certificates.crt", found);
}

function filesOf({ name, files }: DebianPackage): readonly LayerEntry[] {
  const byPath = new Map(files.map((file) => [pathOf(file.header.name), file]));
  const isTaken = (path: string) =>
    TAKEN_FILES[name]?.test(path) === true || path === `usr/share/doc/${name}/copyright`;
  return [...byPath].flatMap(([path, { header, data }]): readonly LayerEntry[] => {
    if (header.type === "directory" || !isTaken(path)) return [];
    if (header.type === "symlink") return [{ type: "link", path, target: header.linkname ?? "" }];
    const bytes = header.type === "link" ? byPath.get(pathOf(header.linkname ?? ""))?.data : data;
    if (bytes === undefined) throw new ImageBuildError(`Package ${name} has ${path} as ${header.type}: not supported.`);
    return [{ type: "file", path, bytes, executable: path.includes(".so") }];
  });
}

/** Members of Debian packages begin with "./". */
function pathOf(name: string): string {
  return name.replace(/^\.\//, "");
}
